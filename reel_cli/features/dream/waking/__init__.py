"""The warm start (`--boot`)."""
