"""Rules that find talk of how memory is kept."""
