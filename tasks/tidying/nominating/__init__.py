"""What of a memory is nominated to be put in order, each matter found in its own way; nobody is asked."""
