"""Transcript for prompts: who spoke, the words, and later corrections of them."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import tell_turn
from reel_cli.core.stage_chain import find_syntax, remove_syntax, scene_tags
from reel_cli.core.tape.tape_view import (
    correction_line,
    corrections,
    people_of,
    place_corrections,
    read_narration,
    read_session,
    speaker,
)
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import Entry

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

NARRATOR = "Narration"
"""Speaker of what tells the scene in nobody's voice."""
GAP = "[…]\n\n"
"""Mark in place of messages that are left out."""


def tell_entries(
    snapshot: Snapshot,
    session: str,
    entries: Sequence[Entry],
    settings: Settings | None = None,
    *,
    bare: bool = False,
) -> Iterator[tuple[Entry, str]]:
    """Yield each message of one session as it stands in a bundle or a prompt, a blank line after it.

    A text that could be taken for theirs, or for another's turn, is quoted. With `bare` it stands as it was
    said, without its speaker. `settings` are the kit's, where they are known already. Narration stands with
    the message before it.
    """
    settings = settings or snapshot.settings
    numbers = [entry.number or 0 for entry in entries]
    about = [
        e for e in corrections(snapshot).get(session, ()) if e.about and e.about[0] <= max(numbers, default=0)
    ]
    _, beside = place_corrections([e for e in about if e.about and e.about[1] >= numbers[0]], numbers)
    names = people_of(entries, settings)
    narrated = read_narration(snapshot, session) if not bare else {}
    for place, entry in enumerate(entries):
        who = speaker(entry, user=settings.user, persona=settings.name)
        text = entry.message.text
        unit = f"{text.strip() if bare else tell_turn(who, text, names)}\n\n"
        if place == 0 and entry.number == 1:
            unit = "".join(f"{tell_turn(NARRATOR, one, names)}\n\n" for one in narrated.get(0, ())) + unit
        unit += "".join(
            f"{tell_turn(NARRATOR, one, names)}\n\n" for one in narrated.get(entry.number or 0, ())
        )
        unit += "".join(
            f"[{correction_line(event, numbered=False)}]\n\n" for event in beside.get(entry.number or 0, ())
        )
        yield entry, unit


def tell_lived(
    snapshot: Snapshot, session: str, entries: Sequence[Entry], settings: Settings | None = None
) -> Iterator[tuple[Entry, str]]:
    """Yield each message as `tell_entries` does for a bundle, without STAGE and CHAIN syntax (REEL §5.2).

    A message that was nothing else is told as an omission.
    """
    also: Collection[str] = ()
    if any("<" in entry.message.text or "[" in entry.message.text for entry in entries):
        # what makes `<feel>` a tag may stand anywhere in the chat
        also = scene_tags(entry.message.text for entry in read_session(snapshot, session).shown())
    bare = [
        replace(entry, message=replace(entry.message, text=remove_syntax(entry.message.text, also) or "…"))
        if find_syntax(entry.message.text, also)
        else entry
        for entry in entries
    ]
    told = tell_entries(snapshot, session, bare, settings)
    for entry, (_, unit) in zip(entries, told, strict=True):
        # narration has kept its own
        yield entry, f"{remove_syntax(unit, also)}\n\n" if find_syntax(unit, also) else unit


def tell_exchange(entries: Sequence[Entry], settings: Settings) -> Iterator[str]:
    """Yield each turn of an exchange as an example has it, the speaker's name in bold."""
    names = people_of(entries, settings)
    for entry in entries:
        who = speaker(entry, user=settings.user, persona=settings.name)
        yield tell_turn(who, entry.message.text, names, "**{}:**")


_PIECE = re.compile(r"[^ ]{1,24} *| +")
"""Pattern of a word, or of a piece of a longer one, with the spaces after it."""
_LONGEST_TOKEN = 32
"""Letters of a token at most, on average: a text of more is not counted, which takes long."""


def shorten(unit: str, room: int, counter: "Counter") -> str:
    """Return a message larger than the room as its beginning, its end, and the size of the gap.

    What has no spaces, as Chinese or base64, is cut within its words.
    """
    pieces = _PIECE.findall(unit)
    spaced = len(pieces) <= 2 * unit.count(" ") + 2
    keep = len(pieces)
    while keep > 2:
        keep = keep * 3 // 4
        half = keep // 2
        begin, end = "".join(pieces[:half]), "".join(pieces[-half:])
        if len(begin) + len(end) > room * _LONGEST_TOKEN:
            continue
        gone = len(pieces) - 2 * half if spaced else len(unit) - len(begin) - len(end)
        gap = f"[… {gone:,} {'words' if spaced else 'characters'} left out here …]"
        cut = f"{begin.rstrip(' ')} {gap} {end}"
        if counter.count(cut) + 2 <= room:
            return cut.rstrip("\n") + "\n\n"
    return "[… a long message, left out here …]\n\n"


def cut_size(tokens: int, room: int) -> int:
    """Return about how many tokens `shorten` leaves of a message that has so many."""
    while tokens > room:
        tokens = tokens * 3 // 4
    return tokens
