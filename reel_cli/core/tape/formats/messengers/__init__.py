"""Readers of messengers and companion apps: chats in which both sides go by their names."""
