"""What the checker finds in real memories, beside what a Markdown linter and a link checker find in the same files."""
