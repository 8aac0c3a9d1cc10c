"""Where a day comes from: sessions, pull requests and production, each read into values."""
