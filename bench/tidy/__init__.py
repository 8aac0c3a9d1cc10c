"""What nomination, ruling and merging do to pairs and memories whose truth is known."""
