"""`reel maintain`: memories fade."""
