"""Where what was read of model files is kept: in the kit at hand, else in the person's own cache."""

import os
import sys
from pathlib import Path

_kits: list[Path] = []


def settle(kit: Path | None) -> None:
    """Work on this kit from here on: what is read of model files is kept in it, and paths are its own."""
    _kits[:] = [] if kit is None else [kit]


def base() -> Path:
    """Where a path begins that is not whole: the kit at hand, else the folder one is in."""
    return _kits[0] if _kits else Path.cwd()


def caches() -> list[Path]:
    """Folders to look for a kept encoding in, the first also to keep one in."""
    return [*(kit / ".reel" / "cache" / "tokenizers" for kit in _kits), _own()]


def _own() -> Path:
    """The person's cache folder."""
    home = Path.home()
    if sys.platform == "darwin":
        usual = home / "Library" / "Caches"
    elif sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        usual = home / ".cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or usual) / "reel" / "tokenizers"
