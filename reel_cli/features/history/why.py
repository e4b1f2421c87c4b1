"""`why`: why something is remembered, or is not: the life of a memory, an example, a session or a phrase."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import Tape, fold
from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.build_bundle import pack_kit
from reel_cli.core.rings.pointers import Pointers
from reel_cli.core.rings.read_memory import list_titles
from reel_cli.core.tape.erasure.purged_chats import find_purge_retractions
from reel_cli.core.tape.tape_view import read_events, read_session, retracted
from reel_cli.core.values.memory import MEMORY_ID, Exemplar, format_id, memory_number
from reel_cli.core.values.talk import PURGED, SESSION_ID, SourceRange, parse_source
from reel_cli.features.history.lives import (
    Life,
    LifeEvent,
    Records,
    asleep_life,
    attention,
    commits_of,
    in_order,
    line_life,
    memory_life,
    purged,
    said,
)
from reel_cli.features.recall.moments import Moment, clip
from reel_cli.features.recall.recall import Recollection
from reel_cli.features.recall.recall_answer import MOST, RecallRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reel_cli.core.git.history import Commit
    from reel_cli.core.values.bundle import LoadedUnit

SHOWN = 12
"""Maximum number of places where a phrase was said, and of items that carry it, that are listed."""
_FOLDED_AT_LEAST = 3
"""Characters of a phrase below which it is in everything and explains nothing."""
AROUND = 100
"""Characters of a message shown around a phrase."""
_STRETCH = re.compile(rf"{SESSION_ID.pattern}#[\d-]{{1,20}}", re.ASCII)
_LOADED = {"whole": "whole", "marker": "in a few lines", "tag": "in one line"}


@dataclass(frozen=True, slots=True)
class Passage:
    """One place where a phrase was said: the words as they stand there, and what was said around them."""

    moment: Moment
    words: str
    around: str


@dataclass(frozen=True, slots=True)
class PhraseTrace:
    """The trace of a phrase: where it was said, what holds it, and the nearest moments if nobody said it."""

    phrase: str
    said: Sequence[Passage] = ()
    times: int = 0
    """Number of messages in which it was said; the first `SHOWN` are listed."""
    nearest: Sequence[Moment] = ()
    carried: Sequence[Life] = ()


@dataclass(frozen=True, slots=True)
class Kit:
    """A kit as `why` asks it; `last_pack` is what the last bundle told, None where there was none."""

    root: Path
    snapshot: Snapshot
    records: Records
    last_pack: "Mapping[str, str] | None"
    commits_to: "Callable[[str], Sequence[Commit]]" = field(default=lambda _path: ())
    """The commits that changed one file, newest first."""


def find_life(kit: Kit, wanted: str) -> Life | None:
    """Return the life of what has this name: `M-014` or a title, a session or stretch, an example; else None.

    Raises ReelError, naming those that are near, for a number that no memory has.
    """
    name = wanted.strip()
    number = name.upper()
    if MEMORY_ID.fullmatch(number) or (number[:2] == "M-" and number[2:].isascii() and number[2:].isdigit()):
        life = _remembered(kit, format_id(memory_number(number) or int(number[2:9])))
        return life if life.kind == "asleep" else _with_bundle(kit, life)
    span = parse_source(name)
    if span is not None:
        _require_said(kit.snapshot, name, span)
        return _session(kit, span)
    if _STRETCH.fullmatch(name) and name.partition("#")[0] in kit.snapshot.sessions:
        _refuse_stretch(kit.snapshot, name)
    slug = name.removesuffix(".md")
    if slug in kit.snapshot.exemplars:
        return _with_bundle(kit, _exemplar(kit, kit.snapshot.exemplars[slug]))
    # words of a title are taken for a phrase that was said
    titled = [one for one, title in list_titles(kit.snapshot).items() if title.casefold() == name.casefold()]
    return _with_bundle(kit, _remembered(kit, titled[0])) if len(titled) == 1 else None


def trace_phrase(kit: Kit, recollection: Recollection, phrase: str) -> PhraseTrace:
    """Return where a phrase was said, letter for letter, and the memories and lines that hold it."""
    found = recollection.recall(phrase, RecallRequest(limit=MOST), certain=False)
    places: list[Passage] = []
    for moment in found.moments:
        for turn_number in dict.fromkeys((moment.message, *(turn.number for turn in moment.turns))):
            hit = _stands(kit.snapshot, moment, turn_number, phrase)
            if hit is not None:
                places.append(hit)
    places = list({(p.moment.session, p.moment.message): p for p in places}.values())
    places.sort(key=lambda p: _order(p.moment))
    names = _carriers(kit, recollection.pointers, phrase, places)
    pool = kit.snapshot.exemplars
    lives = [
        _with_bundle(kit, _exemplar(kit, pool[name]) if name in pool else _remembered(kit, name))
        for name in names[:SHOWN]
    ]
    near = () if places else tuple([moment for moment in found.moments if moment.session is not None][:3])
    return PhraseTrace(phrase, places[:SHOWN], len(places), near, lives)


def _stands(snapshot: Snapshot, moment: Moment, number: int | None, phrase: str) -> Passage | None:
    """Return the phrase in one message, if it occurs; its moment is that message's."""
    if moment.session is None or number is None:
        return None
    entry = read_session(snapshot, moment.session).numbered().get(number)
    hit = Tape([entry]).find(phrase) if entry is not None else None
    if entry is None or hit is None:
        return None
    turn = next((turn for turn in moment.turns if turn.number == number), None)
    who = turn.who if turn is not None else moment.speaker
    time = entry.message.time
    around = " ".join(clip(entry.message.text, [hit.text], AROUND).split())
    return Passage(replace(moment, message=number, speaker=who, time=time), hit.text, around)


def _carriers(kit: Kit, pointers: Pointers, phrase: str, places: Sequence[Passage]) -> list[str]:
    """Return the memories and lines that hold the phrase, then those that cover where it was said."""
    folded = fold(phrase)
    names: dict[str, None] = {}
    if len(folded) >= _FOLDED_AT_LEAST:
        for memory in kit.snapshot.memories.values():
            if folded in fold(
                f"{memory.title}\n{memory.body}\n{memory.anchor}\n{memory.marker}\n{memory.tag}"
            ):
                names.setdefault(memory.id)
        for line in kit.snapshot.index.lines.values():
            if folded in fold(f"{line.description}\n{line.anchor}"):
                names.setdefault(line.id)
        for exemplar in kit.snapshot.exemplars.values():
            if folded in fold(f"{exemplar.title}\n{exemplar.text}"):
                names.setdefault(exemplar.slug)
    for place in places:
        number = place.moment.message or 0
        names.update(dict.fromkeys(pointers.over(place.moment.session, (number, number))))
    return list(names)


def _remembered(kit: Kit, name: str) -> Life:
    snapshot = kit.snapshot
    if name in snapshot.memories:
        return memory_life(snapshot, snapshot.memories[name], kit.records)
    if name in snapshot.index.lines:
        return line_life(snapshot, snapshot.index.lines[name], kit.records)
    asleep = asleep_life(snapshot, name, kit.records)
    if asleep is not None:
        return asleep
    known = [*snapshot.memories, *(i for i in snapshot.index.lines if i not in snapshot.memories)]
    number = memory_number(name)
    near = sorted(known, key=lambda other: (abs(memory_number(other) - number), other))[:3]
    message = f"There is no memory {name}."
    raise ReelError(
        message, hint=f"there are: {', '.join(sorted(near))}" if near else "there are no memories yet"
    )


def _require_said(snapshot: Snapshot, name: str, span: SourceRange) -> None:
    """Refuse messages that a session on the tape does not have."""
    if span.session in snapshot.sessions and span.last:
        count = max(read_session(snapshot, span.session).numbered(), default=0)
        if span.last > count:
            _refuse_stretch(snapshot, name)


def _refuse_stretch(snapshot: Snapshot, name: str) -> None:
    session, _, which = name.partition("#")
    count = max(read_session(snapshot, session).numbered(), default=0)
    message = f"Chat {session} has no “{which}”: it has {count:,} message{'' if count == 1 else 's'}."
    raise ReelError(message, hint=f"to see them:  reel tape show {session}")


def _session(kit: Kit, span: SourceRange) -> Life:
    """Return the life of a session, or of a stretch of it."""
    snapshot = kit.snapshot
    session = read_session(snapshot, span.session)
    found = said(snapshot, [span], "")
    found += [one for one in commits_of(snapshot, kit.records, span.session) if _is_of(snapshot, one, span)]
    mine = [event for event in read_events(snapshot) if event.session == span.session]
    taken = purged(snapshot, [span])
    if not any(one.act == "purge" for one in found):
        found += taken
    by_purge = find_purge_retractions(snapshot)
    told = {"retract": "taken back", "reinstate": "counts again", "correction": "corrected", "flag": "marked"}
    found += [
        LifeEvent(e.at, e.kind, f"{told[e.kind]}{': ' if e.text else ''}{e.text}", session=span.session)
        for e in mine
        if e.kind in told and e.number not in by_purge
    ]
    title = next((e.text for e in reversed(mine) if e.kind == "title"), "") or session.title or ""
    title = "" if title == PURGED else title
    standing = []
    if taken:
        words = taken[-1].words.partition(": ")[2]
        standing.append(f"It was purged: {words.removesuffix(', for good')} is gone for good.")
    elif span.session in retracted(snapshot):
        standing.append("It was taken back, so none of it counts.")
    first, last = span.first, span.last or max((e.number or 0 for e in session.shown()), default=0)
    held = [m.id for m in snapshot.memories.values() if _meets(m.source, span.session, first, last)]
    held += [
        line.id
        for line in snapshot.index.lines.values()
        if line.id not in snapshot.memories and line.where and _meets([line.where], span.session, first, last)
    ]
    standing.append(f"Made from it: {', '.join(held)}." if held else "No memory is made from it yet.")
    tellers = [kind.told for kind in find_kinds(snapshot) if kind.told is not None]
    standing += [line for tell in tellers for line in tell(snapshot, span.session, first, last)]
    called = f"{span.session}#{span.first}" if span.first == span.last else str(span)
    return Life("session", called, title, in_order(found), standing)


def _is_of(snapshot: Snapshot, one: LifeEvent, span: SourceRange) -> bool:
    """Return whether a commit about a session is about a stretch of it; an example's source decides."""
    if one.act != "exemplar" or not span.last:
        return True
    named = [e for e in snapshot.exemplars.values() if f'"{e.title}"' in one.words]
    sources = [source for e in named if (source := parse_source(e.source)) is not None]
    return not sources or _meets(sources, span.session, span.first, span.last)


def _exemplar(kit: Kit, exemplar: Exemplar) -> Life:
    """Return the life of an example of how the persona sounds."""
    snapshot = kit.snapshot
    span = parse_source(exemplar.source)
    found = said(snapshot, [span], "") if span is not None and span.session in snapshot.sessions else []
    path = exemplar_path(exemplar.slug)
    changes = list(reversed(kit.commits_to(path)))
    for place, commit in enumerate(changes):
        words = "became an example" if not place else f"changed: {commit.subject}"
        found.append(LifeEvent(commit.time, "kept" if not place else "edit", words, commit.id))
    if not changes and exemplar.added:
        found.append(LifeEvent(exemplar.added, "kept", "became an example"))
    found += attention(kit.records.entries, [path, exemplar.slug])
    active = snapshot.active
    if exemplar.slug == active.anchor:
        standing = "It is always there: it is in every bundle."
    elif exemplar.slug in active.active:
        standing = "It is in use."
    else:
        standing = "It is not in use."
    return Life("exemplar", exemplar.slug, exemplar.title, in_order(found), [standing])


def _with_bundle(kit: Kit, life: Life) -> Life:
    """Return the life, with whether it was in the last bundle, and why."""
    return replace(life, standing=(*life.standing, *_bundle(kit, life)))


def _bundle(kit: Kit, life: Life) -> list[str]:
    """Return how it stands in the bundle, in sentences."""
    rings = ("1",) if life.kind == "exemplar" else ("3", "4")
    try:
        bundle = pack_kit(kit.root)
    except ReelError as error:
        return [f"No bundle can be packed now: {error.message}"]
    here = {item.ring: item for item in bundle.loaded if item.id == life.id}
    loaded = {ring: here[ring] for ring in rings if ring in here}
    reasons = {
        item.ring: item.reason for item in bundle.left_out if item.id == life.id and item.ring in rings
    }
    now = _how(loaded)
    why = next((reasons[ring] for ring in rings if ring in reasons), "")
    if kit.last_pack is None:
        return (
            [f"The last bundle is not known on this machine. One made now has it {now}."]
            if now
            else [f"The last bundle is not known on this machine. One made now leaves it out: {why}."]
        )
    was = any(f"{ring}:{life.id}" in kit.last_pack for ring in rings)
    if was and now:
        return [f"It was in the last bundle. One made now has it {now}."]
    if was:
        return [f"It was in the last bundle. One made now leaves it out: {why}."]
    if now:
        return [f"It was not in the last bundle. One made now has it {now}."]
    return [f"It was left out of the last bundle: {why}."]


def _how(loaded: "Mapping[str, LoadedUnit]") -> str:
    """Return the resolutions at which it is loaded, in words."""
    told = []
    for ring, item in loaded.items():
        how = "as a line to recall by" if ring == "4" else _LOADED[item.resolution]
        told.append(f"{how} ({item.tokens:,} tokens)")
    return " and ".join(told)


def _meets(spans: Sequence[SourceRange], session: str, first: int, last: int) -> bool:
    return any(s.session == session and (not s.last or (s.first <= last and first <= s.last)) for s in spans)


def _order(moment: Moment) -> tuple[str, int, int]:
    session = moment.session or ""
    number = int(session[11:]) if SESSION_ID.fullmatch(session) else 0
    return session[:10], number, moment.message or 0
