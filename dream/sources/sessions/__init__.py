"""What agents and people said to each other, read from the files that their tools leave behind."""
