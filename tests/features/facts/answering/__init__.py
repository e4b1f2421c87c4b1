"""Tests of the fact that answers a question."""
