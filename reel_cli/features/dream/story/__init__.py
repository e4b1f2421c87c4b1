"""The story that dreams write, and its comparison with the tape."""
