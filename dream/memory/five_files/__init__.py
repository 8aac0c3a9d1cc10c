"""`index.md` of a memory of five files: read, kept in its own shape, and made afresh."""
