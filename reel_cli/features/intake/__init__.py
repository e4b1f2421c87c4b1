"""Candidates for memory, queued while a chat is recorded."""
