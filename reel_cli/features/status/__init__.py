"""`reel status`: contents, due items, pulse, breath and metrics."""
