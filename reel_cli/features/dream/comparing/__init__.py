"""`reel dream compare`: three ways to begin a chat."""
