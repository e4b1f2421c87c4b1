"""`reel chat`: a chat in the terminal."""
