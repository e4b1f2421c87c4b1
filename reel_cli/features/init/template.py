"""Templates of a kit: one that ships with reel, or any folder laid out as a kit."""

import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from reel_cli.core.errors import ReelError
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.files.tree import LARGEST_FILE, PRIVATE
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.git.repository import find_own_repository
from reel_cli.core.kit.hand_edits import list_loose
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.nearest import nearest
from reel_cli.core.resources import template_folder
from reel_cli.core.tape.events_file import read_so_far
from reel_cli.core.values.settings import Settings

DEFAULT = "companion"
BLANK = "blank"
"""The template whose identity holds questions, each to be answered first."""
ABOUT = "template.yaml"
"""Name of the file in which a shipped template describes itself; not copied."""

LARGEST_KIT = 512 * 1024 * 1024
"""Bytes above which a folder is refused as a template rather than read into memory."""

MOST_FILES = 100_000
_PLACEHOLDER = re.compile(r"\{\{(name|user)\}\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A kit's files before it is anyone's.

    `settings` is what a folder's own kit.yaml says, None for a template that ships with reel:
    those have no kit.yaml, and placeholders for the two names.
    """

    name: str
    summary: str
    persona: str
    files: Mapping[str, bytes]
    settings: Settings | None = None
    left: Sequence[str] = ()
    """Files beside the kit's own that its history does not have, and that are not taken."""


def list_templates() -> Sequence[tuple[str, str]]:
    """Return the templates that ship with reel, as (name, summary), the default first."""
    found = [(place.name, _about(place)["summary"]) for place in _shipped().values()]
    return sorted(found, key=lambda pair: (pair[0] != DEFAULT, pair[0] == BLANK, pair[0]))


def read_template(wanted: str) -> Template:
    """Read the shipped template of that name, or else the folder at that path.

    Raises ReelError where there is neither, where a link leaves the folder, or where something in it
    is not a plain file; StateError where its kit.yaml is of a newer version.
    """
    place = _shipped().get(wanted)
    if place is not None:
        about = _about(place)
        return Template(wanted, about["summary"], about["name"], _read_files(place))
    return _read_kit(Path(wanted))


def fill_in(files: Mapping[str, bytes], names: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files with `{{name}}` and `{{user}}` replaced, each once: names are not read again."""
    return {
        path: _PLACEHOLDER.sub(lambda found: names[found[1]], data.decode()).encode()
        for path, data in files.items()
    }


def _shipped() -> dict[str, Path]:
    folder = template_folder() / "kits"
    return {place.name: place for place in sorted(folder.iterdir()) if (place / ABOUT).is_file()}


def _about(place: Path) -> dict[str, str]:
    fields = parse_mapping((place / ABOUT).read_text(encoding="utf-8"), f"{place.name}/{ABOUT}")
    return {key: value for key, value in fields.items() if isinstance(value, str)}


def _read_kit(place: Path) -> Template:
    if not place.exists():
        message = f"There is no template called {str(place)!r}, and no folder of that name."
        near = nearest(str(place), list(_shipped())) or next(
            (one for one in _shipped() if str(place).casefold() in one.split("-")), None
        )
        raise ReelError(message, hint=f"did you mean {near}?" if near else "see them with  reel init --list")
    if not (place / "kit.yaml").is_file():
        message = f"{place} cannot serve as a template: it has no kit.yaml."
        raise ReelError(message, hint="name the folder of a kit, or see  reel init --list")
    others = _list_loose(place)
    files = _read_files(place, without=others)
    try:
        text = files["kit.yaml"].decode()
    except UnicodeDecodeError:
        message = f"{place / 'kit.yaml'} is not UTF-8 text."
        raise ReelError(message) from None
    fallback = place.resolve().name
    settings = parse_settings(text, fallback_name=fallback)
    return Template(place.name or fallback, "", settings.name, files, settings, others)


def _list_loose(place: Path) -> Sequence[str]:
    """Return the files beside a kit's own that its history does not have; () where it has no history."""
    with suppress(ReelError, OSError):
        if (repo := find_own_repository(place)) is not None and repo.head() is not None:
            return list_loose(repo)
    return ()


def _read_files(place: Path, without: Collection[str] = ()) -> dict[str, bytes]:
    """Return every file below a folder, by path, without `.git`, `.reel` and the template's card.

    `without` are paths that are left out.
    """
    files: dict[str, bytes] = {}
    total = 0
    for path in _walk(place, without):
        name = path.relative_to(place).as_posix()
        if name == ABOUT:
            continue
        if len(files) == MOST_FILES:
            _refuse(place, f"it holds more than {MOST_FILES:,} files", "name the kit's own folder")
        try:
            files[name] = path.read_bytes()
        except OSError as error:
            _refuse(place, f"{name} cannot be read ({error.strerror})", "check who owns the file")
        total += len(files[name])
        if total > LARGEST_KIT:
            _refuse(place, f"it is larger than {LARGEST_KIT >> 20} MB", "name the kit's own folder")
    return files


def _walk(place: Path, without: Collection[str]) -> Iterator[Path]:
    """Yield each regular file that can safely be read within the folder."""
    inside = place.resolve()

    def unreadable(error: OSError) -> NoReturn:
        _refuse(place, f"{error.filename} cannot be read ({error.strerror})", "check who owns the folder")

    for here, folders, names in os.walk(place, onerror=unreadable):
        kept = sorted(name for name in folders if name.casefold() not in PRIVATE)
        for name in kept:
            if (Path(here) / name).is_symlink():
                shown = (Path(here) / name).relative_to(place)
                _refuse(place, f"{shown} is a link to a folder", "put the folder itself in its place")
        folders[:] = kept
        for name in sorted(names):
            path = Path(here) / name
            if name.casefold() not in PRIVATE and path.relative_to(place).as_posix() not in without:
                _check_file(place, inside, path)
                yield path


def _check_file(place: Path, inside: Path, path: Path) -> None:
    name = path.relative_to(place).as_posix()
    if not name.isprintable():
        _refuse(place, f"the file name {name!r} has characters that cannot be shown", "rename the file")
    try:
        target = path.resolve(strict=True)
        mode, size = target.stat().st_mode, target.stat().st_size
    except (OSError, RuntimeError):
        _refuse(place, f"{name} is a link to nothing", "remove the link")
    outside = not target.is_relative_to(inside)
    if outside or any(part.casefold() in PRIVATE for part in target.relative_to(inside).parts):
        _refuse(place, f"{name} is a link that leaves the folder", "put a copy of the file in its place")
    if not stat.S_ISREG(mode):
        _refuse(place, f"{name} is not a plain file", "take it out of the folder")
    if size > LARGEST_FILE:
        _refuse(place, f"{name} is larger than {LARGEST_FILE >> 20} MB", "take it out of the folder")


def _refuse(place: Path, why: str, mend: str) -> NoReturn:
    message = f"{place} cannot serve as a template: {why}."
    raise ReelError(message, hint=mend)


def count_contents(template: Template) -> tuple[int, int, int]:
    """Return how many sessions, retracted sessions and memories a folder brings along."""
    names = [path.split("/") for path in template.files]
    sessions = {p[-1].removesuffix(".md") for p in names if p[0] == "tape" and len(p) == 3}
    memories = sum(1 for p in names if p[0] == "ring3" and len(p) == 2 and p[-1].startswith("M-"))
    try:
        gone = sessions & read_so_far(template.files.get(EVENTS, b""), EVENTS).gone
    except ReelError:
        # the commands that read the tape report what is wrong with it
        gone = set()
    return len(sessions) - len(gone), len(gone), memories
