"""Frozen values and pure policies; standard library only."""
