"""The texts that tell of a memory which is let go: facts, the story, notes, examples, pages and chats."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.working_file import read_items
from reel_cli.core.kit.kinds import find_retold
from reel_cli.core.kit.known_facts import read_known
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.moment import day_in_words
from reel_cli.core.shell import join
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.source import parse_source
from reel_cli.features.forgetting.chat_traces import find_notes

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.memory import Memory
    from reel_cli.terminal.open_kit import OpenKit

_SHOWN = 3
"""Maximum number of texts of one kind that are named; more are counted."""
_PLACES = 6
"""Maximum number of places of a word that are shown, a line each."""
_CUT = 40
_FEW = 3
"""Number of other pages below which any that has a name is worth naming."""
_FACTS = "facts.yaml"
_WORD_FOR_WORD = ("buffer", "scenes", "traces", "stream")
"""Parts of a bundle that tell chats as they were had."""
_EVERY = 100_000
"""Messages that are looked at in a chat of which a memory does not say how much it tells."""
_NAME = re.compile(r"(?<=[a-zà-ÿ,;] )[A-ZÀ-Þ][^\W\d_]{2,}")
"""Pattern of a name in running text: a capital where no sentence begins."""


def tell_remains(opened: "OpenKit", memories: "Sequence[Memory]") -> None:
    """Say where these memories, which are let go of now, are told as well, with the commands for that."""
    rows = [*_find(opened.snapshot, memories), *_chats(opened, {s for one in memories for s in one.sessions})]
    if not rows:
        return
    console = opened.console
    console.say("Told elsewhere, too, and kept there:")
    for what, which, command in rows:
        way = f".  {command}" if command else "."
        console.say(console.wrap(f"{what}: {name_some(which, _SHOWN)}{way}", console.err, "  ", "  "))


def _find(snapshot: "Snapshot", memories: "Sequence[Memory]") -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield the kinds of texts that there are: what they are, which ones, and the command for the first."""
    struck: dict[str, set[int]] = {}
    for memory in memories:
        for span in memory.source:
            last = span.last or _EVERY
            struck.setdefault(span.session, set()).update(range(max(1, span.first), last + 1))
    retold = find_retold(snapshot, struck)
    names = _names(snapshot, memories)
    facts_now = (one for one in retold if one.path == _FACTS and not one.past)
    keys = dict.fromkeys(one.title.partition(", ")[2] for one in facts_now)
    if facts := sorted(keys, key=lambda key: not any(name in key for name in names)):
        yield "facts", facts, join(["reel", "fact", "drop", facts[0]])
    if story := [f"“{one_line(one.title, _CUT)}”" for one in retold if one.path != _FACTS]:
        yield "the story", story, ""
    if notes := [f"“{one_line(item.text, _CUT)}”" for item in find_notes(snapshot, list(struck))]:
        yield "notes", notes, "reel edit now"
    spans = ((one.slug, parse_source(one.source)) for one in snapshot.exemplars.values())
    if examples := [slug for slug, span in spans if span is not None and span.meets(struck)]:
        yield "examples", examples, join(["reel", "example", "retire", examples[0]])
    gone = {memory.id for memory in memories}
    others = [one for one in snapshot.memories.values() if one.id not in gone]
    for name in names:
        ids = [one.id for one in others if re.search(rf"\b{name}\b", f"{one.title}\n{one.body}")]
        # a name that most pages have leads to nothing of this one
        if ids and (len(ids) <= len(others) / 2 or len(others) < _FEW):
            yield f"pages that name {name}", ids, f"reel edit {ids[0]}"


def _chats(opened: "OpenKit", sessions: Collection[str]) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield the chats of these that bundles tell word for word, with the command that ends that."""
    if told := [one for one in dict.fromkeys(name for name, _ in _verbatim(opened)) if one in sessions]:
        yield "bundles, word for word", _called(told), f"reel tape retract {' '.join(told)}"


def _verbatim(opened: "OpenKit") -> Iterator[tuple[str, str]]:
    """Yield the chats that the next bundle tells word for word, each with its text there."""
    from reel_cli.core.pack.build_bundle import pack_kit

    with suppress(ReelError):
        for unit in pack_kit(opened.root).loaded:
            if unit.ring in _WORD_FOR_WORD:
                yield unit.id.partition("#")[0], unit.text


def _called(sessions: Sequence[str]) -> Sequence[str]:
    return [f"the chat of {day_in_words(date.fromisoformat(session[:10]))}" for session in sessions]


def find_word(opened: "OpenKit", words: str) -> ReelError | None:
    """Show where words stand that are no memory's title, and return the error; None for nowhere.

    These are facts, notes, other memories, and chats that bundles tell word for word, a line each with the
    command there.
    """
    places = list(_places_of(opened.snapshot, words))
    sought = fold(words).strip()
    if told := list(
        dict.fromkeys(name for name, text in _verbatim(opened) if sought and sought in fold(text))
    ):
        where = f"{name_some(_called(told), _SHOWN)}, which bundles tell word for word"
        # among those that are shown
        places.insert(_SHOWN, (where, f"reel tape retract {' '.join(told)}"))
    if not places:
        return None
    console, called = opened.console, one_line(words, _CUT)
    console.say(f"“{called}” stands in:")
    for what, command in places[:_PLACES]:
        console.say(console.wrap(f"{what}:  {command}", console.err, "  ", "  "))
    if len(places) > _PLACES:
        console.say(f"  and {len(places) - _PLACES:,} more")
    message = f"No memory is called “{called}”."
    purge = join(["reel", "purge", "--any-case", "--match", words])
    return ReelError(message, hint=f"take a way named above; to erase it everywhere, for good:  {purge}")


def _places_of(snapshot: "Snapshot", words: str) -> Iterator[tuple[str, str]]:
    """Yield the facts, notes and memories that hold these words, each with the command for it."""
    sought = fold(words).strip()
    if not sought:
        return
    with suppress(ReelError):
        for fact in read_known(snapshot).held:
            if sought in fold(f"{fact.key} {fact.value}"):
                yield f"the fact {fact.key}", join(["reel", "fact", "drop", fact.id])
    for item in read_items(snapshot.text(WORKING) or ""):
        if sought in fold(item.text):
            yield f"the note “{one_line(item.text, _CUT)}”", "reel edit now"
    for memory in snapshot.memories.values():
        if sought in fold(memory.body):
            yield f"{memory.id} ({one_line(memory.title, _CUT)})", f"reel edit {memory.id}"


def _names(snapshot: "Snapshot", memories: "Sequence[Memory]") -> Sequence[str]:
    """Return the names in the memories' titles, without the persona's and the person's; few of many."""
    own = {*snapshot.settings.name.split(), *snapshot.settings.user.split()}
    found = dict.fromkeys(
        name for memory in memories for name in _NAME.findall(memory.body) if name in memory.title
    )
    return [name for name in found if name not in own][:_SHOWN]
