"""Lorebooks, exported memories and notes in and out."""
