"""Folders of the person outside any kit: for caches, and for what reel knows of this machine."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what may be deleted at any time; RuntimeError where there is no home folder."""
    return _place("XDG_CACHE_HOME", "Caches", ".cache")


def state_folder() -> Path:
    """Return the folder for what reel knows of this machine; RuntimeError where there is no home folder."""
    return _place("XDG_STATE_HOME", "Application Support", ".local/state")


def _place(variable: str, in_library: str, in_home: str) -> Path:
    home = Path.home()
    if sys.platform == "darwin":
        usual = home / "Library" / in_library
    elif sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        usual = home / in_home
    return Path(os.environ.get(variable) or usual) / "reel"
