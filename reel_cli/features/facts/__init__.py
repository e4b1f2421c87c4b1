"""`reel fact`: facts known by heart."""
