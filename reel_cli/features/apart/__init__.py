"""Chats kept apart: what is said in one of them is known in no other (REEL §12.1)."""
