"""Exchanges with a model: prompts, reply schemas, open asks."""
