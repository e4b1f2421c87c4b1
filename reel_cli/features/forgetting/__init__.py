"""`reel forget` and `reel restore`."""
