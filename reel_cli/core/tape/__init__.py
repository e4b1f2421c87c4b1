"""Session files, their chain and their events."""
