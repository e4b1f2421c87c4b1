"""Threads: what was spoken of again and again, and how one evening led to another (SRIP-11)."""
