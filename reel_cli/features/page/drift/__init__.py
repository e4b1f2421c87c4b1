"""Drift: how far the persona's words lie from its usual ones, measured."""
