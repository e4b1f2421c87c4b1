"""The files of a kit, which are made of conversations and are none."""

from collections.abc import Collection
from pathlib import Path

from reel_cli.core.files.kit_files import CORE_FILES

SETTINGS = "kit.yaml"
"""A folder with this file in it is a kit."""
FOLDERS = frozenset(file.name for file in CORE_FILES if file.path.endswith("/"))
"""Folders right below a kit that hold its files; any other folder there is the person's own."""


def are_a_kits(folders: Collection[str], files: Collection[str]) -> frozenset[str]:
    """Return which of the folders beside these files are a kit's own."""
    return FOLDERS.intersection(folders) if SETTINGS in files else frozenset()


def is_a_kits(path: Path) -> bool:
    """Return whether a file or folder is part of a kit's own files."""
    place = path.absolute()
    return any(one.name in FOLDERS and one.with_name(SETTINGS).is_file() for one in (place, *place.parents))
