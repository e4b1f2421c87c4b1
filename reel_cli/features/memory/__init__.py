"""`reel memory` and `reel example`."""
