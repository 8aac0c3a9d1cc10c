"""Code repositories: what they hold at a commit, and where their paths went."""
