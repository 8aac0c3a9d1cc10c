"""What both shapes of an index are made of: lines that list notes, what fits, and what a person should know."""
