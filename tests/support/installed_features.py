"""Features that are there: all of them, where `tools/take_away.py` has not deleted one."""

from reel_cli.features.table import FEATURES


def is_installed(feature: str) -> bool:
    """Return whether a feature has its row in the table."""
    return any(row.name == feature for row in FEATURES)
