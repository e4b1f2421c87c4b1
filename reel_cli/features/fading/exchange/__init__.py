"""Exchanges of maintenance: which are due, how far their replies may go, and the walks through them."""
