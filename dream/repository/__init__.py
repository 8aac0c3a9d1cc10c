"""The memory's git repository: read, commit and land it; the only package that knows pygit2 and git."""
