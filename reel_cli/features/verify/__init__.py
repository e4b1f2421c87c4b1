"""`reel tape`: the recorded sessions and the proof that nothing was altered."""
