"""What people taught, replayed over real days: what code alone lets through of everything that could be proposed."""
