"""Scenes: what was said, word for word, in the room that a bundle has left beside what is remembered.

They are told talk by talk, the oldest first, with a mark where something is left out. What the bundle tells
word for word elsewhere is not told here as well.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.pack import words
from reel_cli.core.pack.memory_levels import BLOCK, count_settled
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.unit import SETTLED, Unit

if TYPE_CHECKING:
    from reel_cli.core.files.tree import Look
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.values.source import SourceRange
    from reel_cli.core.values.talk import Entry
    from reel_cli.features.start.scene_choice import Piece, SceneChooser

SCENES = "scenes"
"""Name of the part in the account of a bundle."""
PART = "part"
"""Resolution of a talk of which not everything is told."""
NO_ROOM = "no room beside what tells more"
NOT_READ = "not as it was recorded"
TOO_LONG_AGO = "further back than is looked through for scenes"
EDITION = 6
"""Raised when the same tape would be told otherwise."""
MOST_READ = 1_500_000
"""Bytes of tape that are looked through, the newest first."""
_LATELY = 6
"""Number of the newest talk's last turns that count for more."""
_LONGEST_TOKEN = 12
"""Characters of a token, at most: a longer text surely does not fit."""
_AROUND = 8
"""Tokens around a piece, about."""
_LEAST_CUT = 12
"""Tokens below which no turn is begun."""
_GAP = f"{words.LEFT_OUT_HERE}\n\n"
_STEP = re.compile(r"[\u3040-\u9fff] *|[^ \u3040-\u9fff]+ *| +")
"""Text that a cut leaves whole: a word, or a character where words have no blanks between them."""
_SPAN = re.compile(r"(?P<session>\d{4}-\d\d-\d\d-\d+)#(?P<first>\d+)(?:-(?P<last>\d+))?")
_LOOPS = re.compile(r"(?ims)^#+ *open loops\b(?P<text>.*?)(?=^#|\Z)")


class ScenesPart(BundlePart):
    """The scenes of the talks on the tape."""

    rings = (SCENES,)
    tops_up = True
    _shown: "dict[str, Sequence[Entry]]"
    """The words of each talk that was read; a bundle for a place is loaded in many sizes."""

    def gather(self) -> bool:
        """Return whether there is a tape to tell of, beside which no prompt asks for a page."""
        self._shown = {}
        return self.source is not None and self.wish.began

    def read(self, snapshot: "Snapshot", name: str) -> "Sequence[Entry]":
        """Return what was said in a talk; ReelError where it is not as it was recorded."""
        from reel_cli.core.tape.tape_view import read_session

        if name not in self._shown:
            self._shown[name] = read_session(snapshot, name).shown()
        return self._shown[name]

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
            self._take(_Scenes(self, source.snapshot, told).tell(rest))
            return
        stamp, born = _stamp_tape(source.kit)
        print_ = crc32("".join(unit.text for unit in told).encode())
        settings = self.terms.holdings.core.settings
        made_by = (EDITION, self.terms.writer.style.key, settings.user, settings.name, settings.tokenizer)
        stamp = stamp and f"{stamp}\n{made_by}\n{print_:08x} {rest} {self.part.wish.cue!a}"
        # with a line about the day there is a little less room, and both kinds are wanted again
        kind = f"{bool(self.part.wish.boot)} {bool(self.part.wish.cue)} {bool(self.part.wish.today)}"
        name = f"{SCENES} {self.terms.budget.cap} {self.terms.writer.style.name} {kind}"
        known = notebook.recall(name, stamp) if stamp else None
        if known is not None:
            units, left = json.loads(known)
            self._take(([Unit(*unit) for unit in units], [(one, why) for one, why in left]))
            return
        try:
            clock = notebook.clock()
        except OSError:
            # on a read-only disk nothing can be kept
            clock = 0
        self._take(_Scenes(self, source.snapshot, told).tell(rest))
        if stamp and born < clock:
            notebook.keep(name, stamp, json.dumps([self.units, self._left], ensure_ascii=False))

    def _take(self, made: tuple[Sequence[Unit], Sequence[tuple[str, str]]]) -> None:
        self.units, self._left = made

    def settle(self) -> None:
        """Write down which talks are not told."""
        for reason in dict.fromkeys(why for _, why in self._left):
            self.made.left.add(SCENES, [name for name, why in self._left if why == reason], reason)


class _Scenes:
    """The scenes of one loading in the making."""

    def __init__(self, part: _LoadedScenes, snapshot: "Snapshot", told: Sequence[Unit]) -> None:
        """Choose from the tape of `snapshot` what `told` does not tell."""
        self.snapshot = snapshot
        self.part = part.part
        self.terms = part.terms
        self.wish = part.part.wish
        self.told = told
        self.left: dict[str, str] = {}
        self.talks: list[tuple[str, Sequence[Entry]]] = []
        self.pieces: list[Piece] = []
        self._settled: Mapping[str, int] = {}
        """The talks before those of the last evenings, each with its number among all."""
        self._known: dict[str, int] = {}
        """IDs of the memories of those talks, each with the number of the last talk it is of."""
        self._lasting: set[int] = set()
        """Places of the chosen pieces that stay the same on most evenings."""
        self._pages: dict[str, str] = {}
        """ID of the memory told at length of each talk that has one."""
        self.chosen: dict[int, str] = {}
        """Places of the chosen pieces, each with its text, which may be cut."""

    def tell(self, rest: int) -> tuple[Sequence[Unit], Sequence[tuple[str, str]]]:
        """Return the units that fit into `rest`, and the talks that are left out, each with the reason."""
        self._read()
        units = self._write_all(rest)
        early: SceneChooser | None = None
        if len(self.chosen) < len(self.pieces):
            # what is chosen anew each evening stands behind what stays
            self._pages = {}
            first = sum(not self._is_late(piece.talk) for piece in self.pieces)
            self._choose_settled(first, rest)
            late = self._chooser(range(first, len(self.pieces)), late=True)
            early = self._chooser([place for place in range(first) if place not in self._lasting])
            for place in self._lasting:
                early.note(place)
            for chooser in (late, early):
                units = self._choose(chooser, rest)
        used = self._used(units)
        if rest - used >= _LEAST_CUT:
            passed = [place for chooser in (late, early) for place in chooser.passed] if early else []
            units = (self._tell_cut(passed[0], rest, used) if passed else ()) or units
        shown = {unit.id.partition("#")[0] for unit in units}
        self.left.update({name: NO_ROOM for name, _ in self.talks if name not in shown})
        return units, sorted(self.left.items())

    def _write_all(self, rest: int) -> Sequence[Unit]:
        """Choose everything if it fits into `rest`, and return the units."""
        if sum(len(piece.text) for piece in self.pieces) > rest * _LONGEST_TOKEN:
            return ()
        self.chosen = {place: piece.text for place, piece in enumerate(self.pieces)}
        units = self._write()
        if sum(unit.tokens for unit in units) > rest:
            self.chosen, units = {}, ()
        return units

    def _choose_settled(self, first: int, rest: int) -> None:
        """Choose of the earlier evenings, whose pieces are the `first`, what stays the same on most evenings.

        Each block of evenings has the same room, which changes by a third or a half and so seldom, and is
        weighed by itself and what is older.
        """
        blocks: dict[int, list[int]] = {}
        for place in range(first):
            blocks.setdefault(self._settled[self.talks[self.pieces[place].talk][0]] // BLOCK, []).append(
                place
            )
        share = self._room_before(rest) // max(len(blocks), 1)
        for block, places in blocks.items():
            room = sum(unit.tokens for unit in self._write()) + _round_down(share)
            self._choose(self._chooser(places, until=(block + 1) * BLOCK), min(room, rest))
        self._lasting = {*self.chosen}

    def _choose(self, chooser: "SceneChooser", room: int) -> Sequence[Unit]:
        """Return the units with what is chosen besides, together within `room`."""
        units, before = self._write(), -1
        while len(self.chosen) > before:
            before = len(self.chosen)
            for place in chooser.choose(self._cost, room - self._used(units)):
                self.chosen[place] = self.pieces[place].text
            units = self._fit(room)
        return units

    def _used(self, units: Sequence[Unit]) -> int:
        """Return the tokens of the units, at least those of the section's own words."""
        return sum(unit.tokens for unit in units) or self.terms.writer.count(self._head())

    def _room_before(self, rest: int) -> int:
        """Return the room for what was said before the last evenings.

        It is three quarters of what there would be if the last evenings were memories of a usual length;
        more where what was said then does not fill the rest.
        """
        pages = sum(u.tokens for u in self.told if u.ring == "3" and u.id not in self._known)
        usual = min(rest, rest + pages - self.terms.budget.room // 8) * 3 // 4
        late = sum(len(piece.text) // 4 + _AROUND for piece in self.pieces if self._is_late(piece.talk))
        return max(usual, rest - late, 0)

    # -- reading ---------------------------------------------------------------------------

    def _read(self) -> None:
        """Read the talks, and cut what was said into pieces."""
        from reel_cli.core.tape.tape_view import standing_sessions
        from reel_cli.core.values.source import session_path
        from reel_cli.features.start.scene_choice import Piece, cut_turn

        elsewhere = self._told_elsewhere()
        try:
            names = standing_sessions(self.snapshot)
            let_go = self._let_go()
        except ReelError:
            # the notes about the talks or the index are damaged, so it is not known which talks may be told
            return
        read, is_far = 0, False
        going_on = getattr(self.wish.stream, "session", None)
        self._find_pages(names)
        settled = 0 if self.terms.budget.small else count_settled(len(names))
        self._settled = {name: number for number, name in enumerate(names[:settled])}
        for place in range(len(names) - 1, -1, -1):
            name = names[place]
            if name == going_on:
                continue
            # the furthest that is read begins a block, and so is the same on most evenings
            is_far = is_far or (read > MOST_READ and (place + 1) % BLOCK == 0)
            if is_far:
                self.left[name] = TOO_LONG_AGO
                continue
            read += len(self.snapshot.read(session_path(name)) or b"")
            try:
                shown = self.part.read(self.snapshot, name)
            except ReelError:
                self.left[name] = NOT_READ
                continue
            there = elsewhere.get(name, ())
            entries = [e for e in shown if _lived(e).strip() and (e.number or 0) not in there]
            entries = [
                e
                for e in entries
                if not _is_purged(e)
                and not any(span.meets({name: {e.number or 0}}) for span in let_go.get(name, ()))
            ]
            if entries:
                self.talks.append((name, entries))
        self.talks.reverse()
        self.pieces = [
            Piece(talk, turn, part, text, self._weigh(talk, turn, len(cut)))
            for talk, (_, entries) in enumerate(self.talks)
            for turn, entry in enumerate(entries)
            for cut in [cut_turn(_lived(entry))]
            for part, text in enumerate(cut)
        ]
        self._parts = {(piece.talk, piece.turn): piece.part + 1 for piece in self.pieces}

    def _find_pages(self, names: Sequence[str]) -> None:
        """Note the memory told at length of each talk, and the memories of all but the last evenings."""
        from reel_cli.core.kit.glance import glance_at_memory

        settled = {name: number for number, name in enumerate(names[: count_settled(len(names))])}
        self._pages, self._known = {}, {}
        for unit in self.told:
            # those that are told are few, and reading all takes long in a large kit
            path = memory_path(unit.id)
            text = self.snapshot.text(path) if unit.ring == "3" else None
            if text is None:
                continue
            memory = glance_at_memory(text, path)
            if settled.keys() >= {*memory.sessions}:
                self._known[unit.id] = max((settled[name] for name in memory.sessions), default=0)
            if unit.page and len(memory.sessions) == 1:
                self._pages.setdefault(memory.sessions[0], unit.id)

    def _weigh(self, talk: int, turn: int, pieces: int) -> float:
        """Return what a turn's pieces are worth beside their words."""
        from reel_cli.features.start.scene_choice import LATELY, LONG_ANSWER

        entries = self.talks[talk][1]
        is_last = talk == len(self.talks) - 1 and turn >= len(entries) - _LATELY
        is_answer = pieces > 1 and entries[turn].message.role != "user"
        return (LATELY if is_last else 1.0) * (LONG_ANSWER if is_answer else 1.0)

    def _let_go(self) -> "Mapping[str, Sequence[SourceRange]]":
        """Return the stretches of memories that were let go, by session: told, they would be back."""
        found: dict[str, list[SourceRange]] = {}
        for line in self.snapshot.index.lines.values():
            if line.pruned and line.where is not None:
                found.setdefault(line.where.session, []).append(line.where)
        return found

    def _told_elsewhere(self) -> Mapping[str, set[int]]:
        """Return the messages that other parts tell word for word, by session."""
        found: dict[str, set[int]] = {}
        for unit in self.told:
            span = _SPAN.fullmatch(unit.id)
            if span is not None:
                first, last = int(span["first"]), int(span["last"] or span["first"])
                found.setdefault(span["session"], set()).update(range(first, last + 1))
        return found

    def _is_late(self, talk: int) -> bool:
        """Return whether a talk is of the last evenings."""
        return self.talks[talk][0] not in self._settled

    def _chooser(
        self, places: Sequence[int], *, late: bool = False, until: int | None = None
    ) -> "SceneChooser":
        """Return a chooser among the pieces at these places.

        Those before the last evenings are weighed by what is as old, `until` a number of talks, and so are
        the same on most evenings.
        """
        from reel_cli.core.pack.cue import content_words
        from reel_cli.features.start.scene_choice import SceneChooser, weigh_words

        known = {name for name, number in self._known.items() if until is None or number < until}
        beside = self.told if late else [u for u in self.told if u.ring in ("0", "1") or u.id in known]
        told = {stem for unit in beside for stem in weigh_words(unit.text)}
        loops = " ".join(match["text"] for match in _LOOPS.finditer(self.terms.holdings.core.working))
        wanted = content_words(f"{self.wish.cue}\n{loops if late else ''}")
        return SceneChooser(self.pieces, places, told, wanted)

    def _cost(self, piece: "Piece") -> int:
        """Return the most tokens that a piece takes: its words, who says them, and what stands around it."""
        count = self.terms.writer.count
        ((_, text),) = self._tell(piece.talk, {piece.turn: piece.text})
        started = any(self.pieces[place].talk == piece.talk for place in self.chosen)
        return count(text) + count(_GAP) + (0 if started else count(self._heading(piece.talk)))

    # -- writing ---------------------------------------------------------------------------

    def _head(self, *, more: bool = False) -> str:
        title = words.MORE_SCENES if more else words.SCENES
        return self.terms.writer.style.section(title, "" if more else words.SCENES_INTRO)

    def _heading(self, talk: int) -> str:
        name = self.talks[talk][0]
        if name in self._pages:
            return self.terms.writer.style.field(words.SCENES)
        return self.terms.writer.style.further(words.spell_date(name) or words.SCENES)

    def _tell(self, talk: int, turns: Mapping[int, str]) -> "Iterator[tuple[int, str]]":
        """Yield some turns of a talk as they stand in the bundle, each with its place."""
        from reel_cli.core.tape.transcript import tell_entries

        name, entries = self.talks[talk]
        some = [
            replace(entries[turn], message=replace(entries[turn].message, text=text))
            for turn, text in turns.items()
        ]
        told = tell_entries(self.snapshot, name, some, self.terms.holdings.core.settings)
        return zip(turns, (words.fold_text(text) for _, text in told), strict=True)

    def _write(self) -> Sequence[Unit]:
        """Return a unit for each talk of which pieces are chosen; one more where others of it last."""
        lasting = self._write_some([place for place in self.chosen if place in self._lasting])
        others = self._write_some([place for place in self.chosen if place not in self._lasting], lasting)
        return [*lasting, *others]

    def _write_some(self, places: Sequence[int], lasting: Sequence[Unit] | None = None) -> Sequence[Unit]:
        """Return a unit for each talk of these pieces; `lasting` are the units of what stays as it is."""
        talks: dict[int, dict[int, dict[int, str]]] = {}
        for place in sorted(places):
            piece = self.pieces[place]
            talks.setdefault(piece.talk, {}).setdefault(piece.turn, {})[piece.part] = self.chosen[place]
        writer = self.terms.writer
        before_it = {unit.id for unit in lasting or ()}
        units: list[Unit] = []
        for talk, turns in talks.items():
            name, entries = self.talks[talk]
            whole = len(turns) == len(entries)
            below = self._pages.get(name, "")
            text = self._heading(talk)
            if not below and all(unit.page for unit in units):
                text = self._head(more=bool(lasting)) + text
            texts = {turn: self._join(talk, turn, parts) for turn, parts in turns.items()}
            before: int | None = None
            for turn, told in self._tell(talk, texts):
                text += _GAP if before is not None and turn > before + 1 else ""
                text += told
                before = turn
                whole = whole and texts[turn] == _lived(entries[turn])
            if name in before_it:
                numbers = [entries[turn].number or 0 for turn in turns]
                (name,) = words.list_spans(name, range(min(numbers), max(numbers) + 1))
            units += [
                unit._replace(
                    resolution="whole" if whole else PART,
                    source="tape",
                    page=below,
                    spot=SETTLED if lasting is None else "",
                )
                for unit in writer.unit(SCENES, name, text)
            ]
        return units

    def _join(self, talk: int, turn: int, parts: Mapping[int, str]) -> str:
        """Return the chosen pieces of a turn as one text, with marks where something is left out."""
        joined, before = "", -1
        for part, text in parts.items():
            joined = joined if part == before + 1 else f"{joined.rstrip()} {words.LEFT_OUT_HERE} "
            joined += text
            before = part
        if before + 1 < self._parts[talk, turn]:
            joined = f"{joined.rstrip()} {words.LEFT_OUT_HERE}"
        return joined.strip() if len(parts) < self._parts[talk, turn] else joined

    def _fit(self, rest: int) -> Sequence[Unit]:
        """Return the units, without what was chosen last where they come to more than `rest`."""
        while True:
            units = self._write()
            if sum(unit.tokens for unit in units) <= rest or not self.chosen:
                return units
            self.chosen.popitem()

    def _tell_cut(self, place: int, rest: int, used: int) -> Sequence[Unit]:
        """Return the units with the beginning of one more piece, as much as fits; none if nothing does."""
        spoken = _STEP.findall(self.pieces[place].text)
        # a single word, however long, is not begun
        keep = min(len(spoken) - 1, rest - used)
        while keep > 1:
            cut = "".join(spoken[:keep]).rstrip()
            self.chosen[place] = f"{cut} {words.LEFT_OUT_HERE}"
            units = self._write()
            if sum(unit.tokens for unit in units) <= rest:
                return units
            keep = keep * 7 // 8 if keep > 8 else keep - 1
        self.chosen.pop(place, None)
        return ()


def _round_down(tokens: int) -> int:
    """Return the greatest power of two, or one and a half times one, that is no more."""
    power = 1 << tokens.bit_length() >> 1
    return power * 3 // 2 if tokens >= power * 3 // 2 else power


def _lived(entry: "Entry") -> str:
    """Return what a turn says besides scene tags and message headers (REEL §5)."""
    from reel_cli.core.tape.stage_chain import remove_syntax

    return remove_syntax(entry.message.text)


def _is_purged(entry: "Entry") -> bool:
    from reel_cli.core.values.talk import PURGED

    return entry.message.text.strip() == PURGED


def _stamp_tape(kit: Path) -> tuple[str, int]:
    """Return a stamp of the tape and the index ("" if they must be read), and when the youngest was made."""
    from reel_cli.core.files.tree import look_at, look_into

    looks: list[Look] = [look_at(kit / "tape", "tape"), look_at(kit / "tape" / "events.md", "events.md")]
    looks.append(look_at(kit / "ring4" / "index.md", "index.md"))
    looks += sorted(look_into(kit / "tape"))
    folders = sorted(folder for folder in (kit / "tape").iterdir() if folder.is_dir())
    looks += [
        look._replace(name=f"{folder.name}/{look.name}")
        for folder in folders
        for look in sorted(look_into(folder))
    ]
    if not all(look.stamp for look in looks) or any(folder.is_symlink() for folder in folders):
        return "", 0
    return "\n".join(f"{look.name} {look.stamp}" for look in looks), max(look.born for look in looks)
