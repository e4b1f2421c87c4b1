"""`reel start` and `reel pack`."""
