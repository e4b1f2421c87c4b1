"""Scenes: what was said, word for word, in the room that a bundle has left beside what is remembered.

They are told talk by talk, the oldest first, with a mark where something is left out. What the bundle tells
word for word elsewhere is not told here as well.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.kit.catalog_rows import INDEX
from reel_cli.core.pack.part import BundlePart, LoadedPart, Source, Terms
from reel_cli.core.pack.unit import SCENES, Unit

if TYPE_CHECKING:
    from reel_cli.core.files.tree import Look
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.features.start.scene_talks import TalkReader

EDITION = 9
"""Raised when the same tape would be told otherwise."""


class ScenesPart(BundlePart):
    """The scenes of the talks on the tape."""

    rings = experience = (SCENES,)
    tops_up = True
    _reader: "TalkReader | None"
    """The parts of the tape that were read; a bundle for a place is loaded in many sizes."""

    def gather(self) -> bool:
        """Return whether there is a tape to tell of, beside which no prompt asks for a page."""
        self._reader = None
        return self.source is not None and self.wish.began

    def reader(self, source: Source) -> "TalkReader":
        """Return the reader of the tape."""
        from reel_cli.features.start.scene_talks import TalkReader

        if self._reader is None:
            self._reader = TalkReader(source.snapshot)
        return self._reader

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart | None:
        """Return the part in one loading; a refresh's reader has what was said, or never had."""
        return _LoadedScenes(self, made, terms) if terms.since is None else None


class _LoadedScenes(LoadedPart):
    """The scenes in one bundle."""

    part: ScenesPart

    def __init__(self, part: ScenesPart, made: "BundleDraft", terms: Terms) -> None:
        super().__init__(part, made, terms)
        self._left: Sequence[tuple[str, str]] = ()

    def fill(self, rest: int) -> None:
        """Tell as much as fits into `rest`, if that is worth it."""
        self.account(SCENES, max(rest, 0))
        told = self.made.told()
        source = self.part.source
        notebook = self.part.holdings.notebook
        if source is None:
            return
        if source.kit is None or notebook is None:
            self._select(source, told, rest)
            return
        stamp = _stamp_tape(source.kit)
        print_ = crc32("".join(unit.text for unit in told).encode())
        settings = self.terms.holdings.core.settings
        made_by = (EDITION, self.terms.writer.style.key, settings.user, settings.name, settings.tokenizer)
        stamp = f"{stamp}\n{made_by}\n{print_:08x} {rest} {self.part.wish.cue!a}"
        # with a line about the day there is a little less room, and both kinds are wanted again
        kind = f"{bool(self.part.wish.boot)} {bool(self.part.wish.cue)} {bool(self.part.wish.today)}"
        name = f"{SCENES} {self.terms.budget.cap} {self.terms.writer.style.name} {kind}"
        known = notebook.recall(name, stamp)
        if known is not None:
            units, left = json.loads(known)
            self.units, self._left = [Unit(*unit) for unit in units], [(one, why) for one, why in left]
            return
        try:
            clock = notebook.clock()
        except OSError:
            # on a read-only disk nothing can be kept
            clock = 0
        looks = _look_at_tape(source.kit)
        if looks:
            self.part.reader(source).trust({look.name: look for look in looks}, notebook, clock)
        self._select(source, told, rest)
        if looks and all(look.born < clock for look in looks):
            notebook.keep(name, stamp, json.dumps([self.units, self._left], ensure_ascii=False))

    def _select(self, source: Source, told: Sequence[Unit], rest: int) -> None:
        """Read the tape, and choose from what `told` does not tell."""
        from reel_cli.features.start.scene_selection import SceneSelection
        from reel_cli.features.start.scene_talks import SceneTalks

        going_on = getattr(self.part.wish.stream, "session", None)
        small = self.terms.budget.small
        talks = SceneTalks(self.part.reader(source), told, small=small, going_on=going_on)
        self.units, self._left = SceneSelection(talks, self.terms, self.part.wish).tell(rest)

    def settle(self) -> None:
        """Write down which talks are not told."""
        for reason in dict.fromkeys(why for _, why in self._left):
            self.made.left.add(SCENES, [name for name, why in self._left if why == reason], reason)


def _list_folders(kit: Path) -> Sequence[Path]:
    """Return the folders of the tape."""
    return [kit / "tape", *sorted(folder for folder in (kit / "tape").iterdir() if folder.is_dir())]


def _stamp_tape(kit: Path) -> str:
    """Return a stamp that changes with any file of the tape and the index, but for what a link leads to."""
    from reel_cli.core.files.tree import look_at, stamp_folder

    index = look_at(kit / INDEX, INDEX).stamp
    return "\n".join([index, *(f"{folder.name} {stamp_folder(folder)}" for folder in _list_folders(kit))])


def _look_at_tape(kit: Path) -> "Sequence[Look]":
    """Look at the tape's files and the index, by path; none where one of them must be read each time."""
    from reel_cli.core.files.tree import look_at, look_into

    looks: list[Look] = [look_at(kit / path, path) for path in ("tape", "tape/events.md", INDEX)]
    folders = _list_folders(kit)
    for folder in folders:
        path = folder.relative_to(kit).as_posix()
        looks += [look._replace(name=f"{path}/{look.name}") for look in sorted(look_into(folder))]
    if not all(look.stamp for look in looks) or any(folder.is_symlink() for folder in folders):
        return ()
    return looks
