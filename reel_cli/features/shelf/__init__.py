"""`reel shelf`: files the persona is working with."""
