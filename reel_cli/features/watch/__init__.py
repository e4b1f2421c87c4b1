"""`reel record --watch`: chats recorded while they go on."""
