"""What is wrong with a memory as it stands, for people to mend: the rules behind `dream check`."""
