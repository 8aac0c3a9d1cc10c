"""Projects that agents work in: where they look for skills, and what is written there."""
