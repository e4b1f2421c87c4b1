"""The local index over the tape and its ranking."""
