"""`reel export training`: samples to train a model on."""
