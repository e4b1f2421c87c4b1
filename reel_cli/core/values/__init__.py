"""Frozen values: a change, a memory, a talk, settings, a bundle."""
