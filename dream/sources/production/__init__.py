"""The real systems that what is remembered is checked against, read-only."""
