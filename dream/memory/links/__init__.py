"""Links between notes: how they are written, what they lead to, and what an edit does to them."""
