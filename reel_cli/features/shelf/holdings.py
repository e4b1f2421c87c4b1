"""Survey of what is at hand: the shelf's files and the memories, and each one's uses (MEMORY-MGMT §2)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.ledger_file import USES, parse_entry
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.rings.attention import read_attention
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.memory import Memory, implies_immunity, memory_path
from reel_cli.features.shelf.advice.files import hot_paths
from reel_cli.features.shelf.files import TOUCHED, place_of_use, read_shelf, session_key
from reel_cli.features.shelf.hotness import Factors, recent_touch, sessions_after
from reel_cli.features.shelf.shelf_file import ShelfFile, ledger_name

_USES = "uses of what is at hand 3"
_LONGEST_TALK = 400_000
"""Characters at the end of a chat that are searched for file names."""
_TELLING = 5
"""A name of fewer letters might be any word."""
_TELLING_TITLE = 10


@dataclass(frozen=True, slots=True)
class Item:
    """One file of the shelf, or one memory, as a decision and a prompt ask for it.

    `path` is its kit path, `name` what the ledger and a prompt call it. `since`: sessions since it was last
    used, None for never; `touches` how often, `last` when (ISO 8601, "" for never). `noted` and `referenced`
    say where the persona's notes and the user spoke of it, "" for nowhere.
    """

    path: str
    name: str
    title: str
    about: str = ""
    tags: tuple[str, ...] = ()
    file: ShelfFile | None = None
    memory: Memory | None = None
    factors: Factors = field(default_factory=Factors)
    since: int | None = None
    touches: int = 0
    last: str = ""
    by_hand: str = ""
    """Time of its last recall or view (ISO 8601); "" for never."""
    named: str = ""
    """The last session whose talk names it; "" for none."""
    immune: bool = False
    noted: str = ""
    referenced: str = ""

    @property
    def trouble(self) -> str:
        """Return the reason why it cannot be read; "" for none."""
        return self.file.trouble if self.file is not None else ""


@dataclass(frozen=True, slots=True)
class AtHand:
    """The things at hand, by path; `newest` is the last session that counts, "" for none."""

    items: Mapping[str, Item]
    newest: str = ""


@dataclass(frozen=True, slots=True)
class _Use:
    """The ledger's record of one name: how often it was used, when last, and after which session."""

    times: int = 0
    at: str = ""
    session: str = ""
    by_hand: str = ""
    """Time of its last recall or view; "" for never."""
    recalled: str = ""
    named: str = ""
    """The last session in which it was recalled, and the last whose talk names it."""


def survey(
    snapshot: Snapshot,
    pending: Sequence[str] = (),
    glance: Snapshot | None = None,
    only: Mapping[str, ShelfFile] | None = None,
) -> AtHand:
    """Return everything at hand, without reading files; `pending` are uncommitted journal lines.

    `glance` is the same kit as an overview, which knows sidecars and journal from one time to the next; with
    `only`, these files are looked at and nothing else.
    """
    quick = glance if glance is not None else snapshot
    uses = read_uses(quick, pending)
    sessions = standing_sessions(snapshot)
    newest = sessions[-1] if sessions else ""
    hot, pinned = hot_paths(snapshot), read_attention(quick, pending).pinned
    said = _Talk(_user_words(snapshot, newest), f"{snapshot.settings.user} spoke of it in {newest}")
    notes = _Talk(snapshot.text(WORKING) or "", "the working notes name it")
    idle = snapshot.settings.idle_sessions
    items: dict[str, Item] = {}

    def add(item: Item, *, working: bool, pin: bool) -> None:
        use = uses.get(item.name, _Use())
        since = sessions_after(snapshot.sessions, use.session) if use.times else None
        back = use.recalled == newest and bool(newest)
        names = _names(item)
        came_back = f"{snapshot.settings.user} came back to it in {newest}" if back else ""
        items[item.path] = replace(
            item,
            factors=Factors(recent_touch(since, idle), working, item.path in hot, pin),
            since=since,
            touches=use.times,
            last=use.at,
            by_hand=use.by_hand,
            named=use.named,
            noted=notes.speaks_of(names) if item.file is not None else "",
            referenced=said.speaks_of(names) or came_back,
        )

    for file in (read_shelf(quick) if only is None else only).values():
        item = Item(file.path, ledger_name(file.path), file.title, file.summary, file.tags, file)
        add(item, working=file.working, pin=file.pin)
    if only is not None:
        return AtHand(items, newest)
    lines = snapshot.index.lines
    for memory in snapshot.memories.values():
        line = lines.get(memory.id)
        immune = memory.immune or implies_immunity(memory.tags) or (line is not None and line.immune)
        path, about = memory_path(memory.id), memory.tag or memory.marker
        item = Item(path, memory.id, memory.title, about, memory.tags, memory=memory, immune=immune)
        add(item, working=True, pin=memory.id in pinned)
    return AtHand(items, newest)


def spoken_of(snapshot: Snapshot) -> tuple[str, str]:
    """Return the texts that may mention things: the working notes, and the user's recent words."""
    sessions = standing_sessions(snapshot)
    said = _user_words(snapshot, sessions[-1]) if sessions else ""
    return (snapshot.text(WORKING) or "")[-_LONGEST_TALK:], said[-_LONGEST_TALK:]


def read_uses(snapshot: Snapshot, pending: Iterable[str] = ()) -> Mapping[str, _Use]:
    """Return the ledger's record of each name; an overview keeps what each journal file says."""

    def note(path: str) -> dict[str, list[Any]]:
        return _count((snapshot.text(path) or "").splitlines())

    journal = [path for path in snapshot.list("journal") if path.endswith(".jsonl")]
    notes = snapshot.note(_USES, journal, note)
    found: dict[str, _Use] = {}
    for kept in (*(notes[path] for path in journal), _count(pending)):
        for name, (times, at, session, by_hand, recalled, named) in kept.items():
            old = found.get(name, _Use())
            found[name] = _Use(
                old.times + times,
                max(old.at, at, key=moment),
                max(old.session, session, key=session_key),
                max(old.by_hand, by_hand, key=moment),
                max(old.recalled, recalled, key=session_key),
                max(old.named, named, key=session_key),
            )
    return found


def _count(lines: Iterable[str]) -> dict[str, list[Any]]:
    """Return the fields of `_Use`, by name."""
    found: dict[str, list[Any]] = {}
    for line in lines:
        entry = parse_entry(line)
        if entry is None or entry.do not in TOUCHED:
            continue
        for name in entry.on.split():
            one = found.setdefault(name, [0, "", "", "", "", ""])
            one[0] += 1
            one[1] = max(one[1], entry.at, key=moment)
            one[2] = max(one[2], place_of_use(entry), key=session_key)
            if entry.do != "reference":
                one[3] = max(one[3], entry.at, key=moment)
            if entry.do in USES:
                place = 4 if entry.do == "recall" else 5
                one[place] = max(one[place], entry.session, key=session_key)
    return found


def _user_words(snapshot: Snapshot, session: str) -> str:
    """Return what the user said in a session; "" if it cannot be read, which other commands report."""
    if not session:
        return ""
    try:
        shown = read_session(snapshot, session).shown()
    except ReelError:
        return ""
    return "\n".join(entry.message.text for entry in shown if entry.message.role == "user")


class _Talk:
    """A text in which things may be spoken of, by the path, the name or the title they have."""

    def __init__(self, text: str, where: str) -> None:
        self._text = fold(text[-_LONGEST_TALK:])
        self._where = where

    def speaks_of(self, names: Iterable[str]) -> str:
        """Return where one of these names (folded) is mentioned; "" if none is."""
        return self._where if self._text and any(map(self._has, names)) else ""

    def _has(self, name: str) -> bool:
        return name in self._text and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self._text))


def _names(item: Item) -> list[str]:
    """Return the names a thing may have in a conversation, folded; without any that may be any word."""
    names = [item.title] if len(item.title) >= _TELLING_TITLE and " " in item.title else []
    if item.memory is not None and len(item.memory.anchor) >= _TELLING_TITLE:
        names.append(item.memory.anchor)
    if item.file is not None:
        names += {item.path, item.file.name, item.file.name.rpartition("/")[2]}
    return [told for name in names if len(told := fold(name)) >= _TELLING]
