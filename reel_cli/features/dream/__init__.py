"""`reel dream`: the past read again in batches."""
