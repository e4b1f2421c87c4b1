"""The reply to a checkpoint prompt as a typed checkpoint."""
