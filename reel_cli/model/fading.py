"""Placeholder until merged."""

from collections.abc import Mapping

SIZES: Mapping[str, tuple[int, int]] = {"L1": (500, 2000), "L2": (100, 500), "L3": (30, 100), "L4": (10, 30)}
