"""Transcript readers, one module for each chat program."""
