"""`reel model detect`: the model that is loaded."""
