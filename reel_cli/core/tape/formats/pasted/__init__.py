"""Chats as people paste or copy them."""
