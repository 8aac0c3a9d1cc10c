"""Many organisations: who dreams when and where, what is tried again, and what the whole run came to."""
