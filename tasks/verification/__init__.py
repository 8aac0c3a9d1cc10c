"""How entries are held against real systems: what is asked, what the answers show, and what follows from that."""
