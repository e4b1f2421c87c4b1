"""Talks that scenes are told of: what was said in each, cut into pieces.

Each session's file is read and cut once: what comes of it is kept in the kit's catalog, and trusted while the
file is unchanged. What a bundle tells of it elsewhere is left out afterwards, each time.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.files.index_file import list_pruned
from reel_cli.core.kit.glance import glance_at_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.holdings import BLOCK, count_settled, count_to_come
from reel_cli.core.values.memory import memory_path
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import PURGED, Entry, Message
from reel_cli.features.start.scene_choice import LATELY, LONG_ANSWER, OWN, Piece, cut_turn, weigh_words

if TYPE_CHECKING:
    from reel_cli.core.files.tree import Look
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.unit import Unit
    from reel_cli.core.values.holdings import Notebook
    from reel_cli.core.values.source import SourceRange

NOT_READ = "not as it was recorded"
TOO_LONG_AGO = "further back than is looked through for scenes"
EDITION = 1
"""Raised when the same file would be cut or weighed otherwise."""
MOST_READ = 1_500_000
"""Bytes of tape that are looked through, the newest first."""
_LATELY = 6
"""Number of the newest talk's last turns that count for more."""
_PLAYED = re.compile(
    r"\b(?i:we (?!never\b)(?:\w+ )?play(?:ed)?) (?:(?i:(?:out )?"
    r"(?:(?:an?|the|that|this|our|his|her|two|some|several) )?"
    r"(?:(?!(?:in|at|on|for|from|until|and|with|after|before|to|behind)\b)[\w'’-]+ ){0,2}"
    r"(?:scenes?|roles?|characters?|parts? of|pretend|make-believe)\b"
    r"|(?:at being|that (?:we|i|you|s?he|they) (?:was|were|am|are|is|had))\b)"
    r"|(?:Captain|King|Queen|Princess|Prince|Doctor|Dr\.?|Professor|Lady|Lord|Sir|Count|Countess|Detective"
    r"|Inspector|Mr\.?|Mrs\.?|Miss) [A-Z]"
    r"|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? and (?:the|an?) [a-z'’-]+(?=\W*$|[.,;:)—]))"
    r"|(?i:\brole-?play|\bin character\b|\bwir (?:\w+ )?spiel(?:t|)en\b|\bvi (?:\w+ )?(?:lekte|spelade ett)\b"
    r"|\bnous avons joué\b|\bjugamos a\b)"
)
"""Words of a memory by which some of a talk was played."""
_SPAN = re.compile(r"(?P<session>\d{4}-\d\d-\d\d-\d+)#(?P<first>\d+)(?:-(?P<last>\d+))?")


class Turn(NamedTuple):
    """A turn that says something: its words besides scene tags and message headers (REEL §5), and its pieces.

    Each piece has its words as they are weighed, where they are known already.
    """

    entry: Entry
    pieces: Sequence[tuple[str, Mapping[str, float] | None]]


class TalkNote(NamedTuple):
    """A session's turns, and the size of its file in bytes."""

    size: int
    turns: Sequence[Turn]


class TalkReader:
    """A reader of the tape for bundles of one kit; each talk is read once."""

    def __init__(self, snapshot: "Snapshot") -> None:
        """Read from `snapshot`."""
        self.snapshot = snapshot
        self._notes: dict[str, TalkNote] = {}
        self._looks: Mapping[str, Look] = {}
        self._notebook: Notebook | None = None
        self._clock = 0

    def trust(self, looks: "Mapping[str, Look]", notebook: "Notebook", clock: int) -> None:
        """Take talks from a notebook while their files, by path, look as they did, and keep them there.

        Nothing is kept of a file as young as `clock`.
        """
        self._looks, self._notebook, self._clock = looks, notebook, clock

    def read(self, name: str) -> TalkNote:
        """Return a talk; raises ReelError where it is not as it was recorded."""
        if name not in self._notes:
            self._notes[name] = self._recall(name)
        return self._notes[name]

    def _recall(self, name: str) -> TalkNote:
        look = self._looks.get(session_path(name))
        if self._notebook is None or look is None:
            return self._make(name)
        stamp = f"{EDITION} {look.stamp}"
        known = self._notebook.recall(f"talk {name}", stamp)
        if known is not None:
            return _load(known)
        note = self._make(name)
        if look.born < self._clock:
            self._notebook.keep(f"talk {name}", stamp, _dump(note))
        return note

    def _make(self, name: str) -> TalkNote:
        turns = []
        for entry in read_session(self.snapshot, name).shown():
            said = entry.message
            text = remove_syntax(said.text)
            if text.strip() and said.text.strip() != PURGED:
                bare = Entry(entry.number, Message(said.role, text, name=said.name))
                turns.append(Turn(bare, [(piece, None) for piece in cut_turn(text)]))
        return TalkNote(len(self.snapshot.read(session_path(name)) or b""), turns)


def _dump(note: TalkNote) -> str:
    """Return a talk as JSON, with its words weighed."""
    turns = [
        [
            turn.entry.number,
            turn.entry.message.role,
            turn.entry.message.name,
            [[text, words or weigh_words(text)] for text, words in turn.pieces],
        ]
        for turn in note.turns
    ]
    return json.dumps([note.size, turns], ensure_ascii=False)


def _load(text: str) -> TalkNote:
    """Return the talk that `_dump` wrote."""
    size, turns = json.loads(text)
    return TalkNote(
        size,
        [
            # no blank is lost where a turn is cut
            Turn(Entry(number, Message(role, "".join(piece for piece, _ in pieces), name=name)), pieces)
            for number, role, name, pieces in turns
        ],
    )


class SceneTalks:
    """The talks that one bundle may tell scenes of, oldest first, and their pieces."""

    def __init__(
        self, reader: TalkReader, told: "Sequence[Unit]", *, small: bool, going_on: str | None
    ) -> None:
        """Read what `told`, the units of the bundle's other parts, does not tell.

        `small` says that its window is, and `going_on` names the chat that it goes on with.
        """
        self.snapshot = reader.snapshot
        self.told = told
        self._small = small
        self.left: dict[str, str] = {}
        """Talks that are left out, each with the reason."""
        self.talks: Sequence[tuple[str, Sequence[Entry]]] = ()
        self.pieces: Sequence[Piece] = ()
        self.parts: Mapping[tuple[int, int], int] = {}
        """Number of pieces of each turn, by talk and turn."""
        self.settled: Mapping[str, int] = {}
        """Talks before those of the last evenings, each with its number among all."""
        self.to_come = 0
        """Number of talks that come before what has settled is told anew."""
        self.known: dict[str, int] = {}
        """IDs of the memories of those talks, each with the number of the last talk it is of."""
        self.pages: dict[str, str] = {}
        """ID of the memory told at length of each talk that has one."""
        self.played: set[str] = set()
        """Talks of which their memory says that something was played in them."""
        try:
            names = standing_sessions(self.snapshot)
            let_go = self._let_go()
        except ReelError:
            # the notes about the talks or the index are damaged, so it is not known which talks may be told
            return
        self._find_pages(names)
        settled = count_settled(len(names))
        self.to_come = count_to_come(len(names))
        self.settled = {name: number for number, name in enumerate(names[:settled])}
        found = [*self._read(reader, names, let_go, going_on)][::-1]
        self.talks = [(name, [turn.entry for turn in turns]) for name, turns in found]
        self.pieces = [
            Piece(talk, place, part, text, self._weigh(talk, place, len(turn.pieces)), words)
            for talk, (_, turns) in enumerate(found)
            for place, turn in enumerate(turns)
            for part, (text, words) in enumerate(turn.pieces)
        ]
        self.parts = {(piece.talk, piece.turn): piece.part + 1 for piece in self.pieces}

    def is_late(self, talk: int) -> bool:
        """Return whether a talk is of the last evenings."""
        return self.talks[talk][0] not in self.settled

    def _read(
        self,
        reader: TalkReader,
        names: Sequence[str],
        let_go: "Mapping[str, Sequence[SourceRange]]",
        going_on: str | None,
    ) -> Iterator[tuple[str, Sequence[Turn]]]:
        """Yield the talks, newest first, each with the turns that may be told."""
        elsewhere = self._told_elsewhere()
        read, is_far = 0, False
        for place in range(len(names) - 1, -1, -1):
            name = names[place]
            if name == going_on:
                continue
            # the furthest that is read begins a block, and so is the same on most evenings
            is_far = is_far or (read > MOST_READ and (place + 1) % BLOCK == 0)
            if is_far:
                self.left[name] = TOO_LONG_AGO
                continue
            try:
                note = reader.read(name)
            except ReelError:
                read += len(self.snapshot.read(session_path(name)) or b"")
                self.left[name] = NOT_READ
                continue
            read += note.size
            there, gone = elsewhere.get(name, ()), let_go.get(name, ())
            turns = [
                turn
                for turn in note.turns
                for number in [turn.entry.number or 0]
                if number not in there and not any(span.meets({name: {number}}) for span in gone)
            ]
            if turns:
                yield name, turns

    def _find_pages(self, names: Sequence[str]) -> None:
        """Note the memory told at length of each talk, and the memories of all but the last evenings."""
        settled = {name: number for number, name in enumerate(names[: count_settled(len(names))])}
        for unit in self.told:
            # those that are told are few, and reading all takes long in a large kit
            path = memory_path(unit.id)
            text = self.snapshot.text(path) if unit.ring == "3" else None
            if text is None:
                continue
            memory = glance_at_memory(text, path)
            if settled.keys() >= {*memory.sessions}:
                self.known[unit.id] = max((settled[name] for name in memory.sessions), default=0)
            if len(memory.sessions) == 1:
                if unit.page:
                    self.pages.setdefault(memory.sessions[0], unit.id)
                if _PLAYED.search(text):
                    self.played.add(memory.sessions[0])

    def _weigh(self, talk: int, turn: int, pieces: int) -> float:
        """Return what a turn's pieces are worth beside their words."""
        entries = self.talks[talk][1]
        is_last = talk == len(self.talks) - 1 and turn >= len(entries) - _LATELY
        is_answer = pieces > 1 and entries[turn].message.role != "user"
        is_own = self._small and pieces == 1 and entries[turn].message.role == "assistant"
        return (LATELY if is_last else 1.0) * (LONG_ANSWER if is_answer else OWN if is_own else 1.0)

    def _let_go(self) -> "Mapping[str, Sequence[SourceRange]]":
        """Return the stretches of memories that were let go, by session: told, they would be back."""
        found: dict[str, list[SourceRange]] = {}
        for line in list_pruned(self.snapshot.text(INDEX) or ""):
            if line.where is not None:
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
