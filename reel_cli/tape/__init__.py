"""The tape: transcript formats in, session files, what continues what."""
