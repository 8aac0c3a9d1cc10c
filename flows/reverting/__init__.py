"""Taking back what nights did: which operations, what it comes to, and that of one organisation or of many."""
