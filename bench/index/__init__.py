"""What the index leads to, what it costs, and what a change to the memory changes of it."""
