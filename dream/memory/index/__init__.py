"""The index that agents load, the catalog behind it, and what both lead to."""
