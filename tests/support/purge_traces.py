"""Traces of a text in a kit, found without any of reel's own code."""

import subprocess
import unicodedata
from pathlib import Path

SCHEMA = "kit.schema.json"
"""Every kit has the same one, and no word in it is anybody's."""


def traces(kit: Path, *texts: str) -> list[str]:
    """Every object of git's (reachable or not) and every file below the kit whose raw bytes hold a text."""
    wanted = [
        form.encode()
        for text in texts
        for form in {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
    ]
    found = [
        place.relative_to(kit).as_posix()
        for place in sorted(kit.rglob("*"))
        if place.is_file() and place.name != SCHEMA and any(one in place.read_bytes() for one in wanted)
    ]
    found += [
        place.relative_to(kit).as_posix()
        for place in sorted(kit.rglob("*"))
        if any(one in place.name.encode() for one in wanted)
    ]
    objects = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=kit, capture_output=True, check=True
    ).stdout
    return found + [f"objects: {one.decode()}" for one in wanted if one in objects]


def words_of_files(kit: Path) -> dict[str, bytes]:
    """Every file of the kit itself, by its path."""
    return {
        place.relative_to(kit).as_posix(): place.read_bytes()
        for place in sorted(kit.rglob("*"))
        if place.is_file() and not {".git", ".reel"} & set(place.relative_to(kit).parts)
    }
