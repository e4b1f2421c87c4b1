"""`reel shelf gc`: cold files are archived."""
