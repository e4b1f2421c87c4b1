"""`reel export`: the persona for other programs."""
