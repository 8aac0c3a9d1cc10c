"""What a memory holds, as values; pure, and importing nothing else of this project but its errors."""
