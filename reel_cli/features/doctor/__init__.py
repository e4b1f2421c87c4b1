"""`reel doctor`: checks of the kit and of the persona's memory."""
