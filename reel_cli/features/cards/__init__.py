"""Character cards in and out."""
