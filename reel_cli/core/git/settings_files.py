"""git's settings, read from the files they stand in where those are plain, which spares a process."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from reel_cli.core.files.private import read_plain

FOR_ALL = Path("/etc/gitconfig")
"""The file for every account of the machine, of a git that lies in one of the folders below."""
SYSTEM_FOLDERS = ("/usr/bin", "/bin")
YES = ("1", "true", "yes", "on")
_SECTION = re.compile(r'\[([A-Za-z0-9-]+)(?: "([^"\\\]\n]*)")?\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)(?:[ \t]*=[ \t]*(.*))?")
_VALUE = re.compile(r'[^"\\#;\t\r]*')
_QUOTED = re.compile(r'"([^"\\\t\r]*)"')
INCLUDES = ("include", "includeif")


class _NotPlainError(Exception):
    """A setting that only git reads: in another file, on several lines, or for this process alone."""


def read_settings_files(own: Path, wanted: re.Pattern[str]) -> dict[str, str] | None:
    """Return the settings whose full key fits, in lower case but for a part in quotes, the last of each.

    `own` is the repository's file. None where git has to be asked.
    """
    found: dict[str, str] = {}
    try:
        for place in _list_files(own):
            for key, value in _read_file(place):
                if wanted.search(key):
                    found[key] = _read_value(value)
    except (OSError, UnicodeDecodeError, _NotPlainError):
        return None
    return found


def _list_files(own: Path) -> Iterator[Path]:
    """Yield git's files in the order in which later settings win; _NotPlainError where that is not known."""
    if "GIT_CONFIG_PARAMETERS" in os.environ or os.environ.get("GIT_CONFIG_COUNT", "0") not in ("", "0"):
        raise _NotPlainError
    home = os.environ.get("HOME")
    if not home:
        raise _NotPlainError
    yield from _for_all()
    given = os.environ.get("GIT_CONFIG_GLOBAL")
    if given is not None:
        yield Path(given)
    else:
        yield Path(os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config", "git", "config")
        yield Path(home, ".gitconfig")
    yield own


def _for_all() -> Iterator[Path]:
    """Yield the file for all accounts, if there is to be one; its place is that with which git was built."""
    if os.environ.get("GIT_CONFIG_NOSYSTEM", "").lower() in YES:
        return
    program = shutil.which("git") or ""
    known = sys.platform == "linux" and os.path.dirname(program) in SYSTEM_FOLDERS  # noqa: PTH120
    if not known or {"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM"} & os.environ.keys():
        raise _NotPlainError
    yield FOR_ALL


def _read_file(place: Path) -> Iterator[tuple[str, str]]:
    """Yield each setting of a file with its value as it is written; nothing where there is no file."""
    try:
        text = read_plain(place).decode()
    except FileNotFoundError:
        return
    section = ""
    for line in text.split("\n"):
        bare = line.strip(" \t\r")
        if not bare or bare[0] in "#;":
            continue
        if bare[0] == "[":
            section = _read_section(bare)
            continue
        setting = _SETTING.fullmatch(bare)
        if bare.endswith("\\") or not section or not setting:
            raise _NotPlainError
        yield f"{section}{setting[1].lower()}", setting[2] or ""


def _read_section(line: str) -> str:
    """Return the beginning of a section's keys; _NotPlainError where it may bring in other files."""
    head = _SECTION.fullmatch(line)
    if head is None or head[1].lower() in (*INCLUDES, "extensions"):
        raise _NotPlainError
    return f"{head[1].lower()}.{head[2]}." if head[2] is not None else f"{head[1].lower()}."


def _read_value(text: str) -> str:
    plain = _VALUE.fullmatch(text)
    quoted = _QUOTED.fullmatch(text)
    if plain is None and quoted is None:
        raise _NotPlainError
    return quoted[1] if quoted else text.strip(" ")
