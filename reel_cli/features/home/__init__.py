"""`reel` alone and `reel kits`: who is here, what is going on, and the next step."""
