"""Location of data read from model files: in the kit at hand, else in the person's own cache."""

import os
import sys
from pathlib import Path

_kits: list[Path] = []


def settle(kit: Path | None) -> None:
    """Set the kit to work on: results of reading model files are kept in it, and paths are relative to it."""
    _kits[:] = [] if kit is None else [kit]


def base() -> Path:
    """Return the folder to which relative paths refer: the kit at hand, else the working directory."""
    return _kits[0] if _kits else Path.cwd()


def caches() -> list[Path]:
    """Return folders to look for a kept encoding in, the first also to keep one in."""
    return [*(kit / ".reel" / "cache" / "tokenizers" for kit in _kits), _own()]


def _own() -> Path:
    """Return the person's cache folder."""
    home = Path.home()
    if sys.platform == "darwin":
        usual = home / "Library" / "Caches"
    elif sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        usual = home / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "reel" / "tokenizers"
