"""`reel purge`: erasing what was said from the kit and its history."""
