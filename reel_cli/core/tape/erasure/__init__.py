"""Erased text: how it is found, recognized and kept out of later recordings."""
