"""Undoing: what became of the effects of a night since, and what the notes come to without some of them."""
