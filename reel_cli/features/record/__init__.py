"""`reel record` and `reel end`: chats onto the tape."""
