"""What each command of `dream` does: an answer for people and programs, built on the flows and on what they left."""
