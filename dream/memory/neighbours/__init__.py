"""Statements and notes that have most of their words in common, found in a memory of any size."""
