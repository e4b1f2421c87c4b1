"""`reel domain`: tables of the persona's work."""
