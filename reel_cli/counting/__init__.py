"""Counting by a model's own file: its vocabulary and its rules, read once and kept."""
