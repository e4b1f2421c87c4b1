"""`reel checkpoint` and `reel consolidate`: the page after a session."""
