"""Context that goes with a prompt written for the running chat, if it is sent elsewhere.

A page at a session's end is written from the chat it ends, which holds the bundle and all that was said.
Over a wire there is no such chat, so both go along: the bundle as the system prompt, then the session's
messages, of the newest as many as fit.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.tape_view import read_narration, read_session
from reel_cli.core.tape.transcript import GAP, NARRATOR, shorten, tell_entries
from reel_cli.core.tape.voices import as_heard, other_voices, persona_names
from reel_cli.core.values.settings import WHOLE

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

AROUND = 8
"""Tokens that a server's chat template adds to a message; more than most templates do."""
LEAST_TALK = 300
"""Tokens of conversation below which a page would be made up."""
LEAST_REPLY = 256
"""Least tokens left for a reply …"""
_REPLY_SHARE, _MOST_REPLY = 5, 4096
"""… divisor of the window otherwise, and the most tokens."""
_LEAST_BUNDLE = 400


@frozen
class CompanionMessages:
    """The messages that go before a prompt, and what of the session had no room.

    `messages` are (role, text) pairs, beginning with the bundle as `system` where there is one.
    """

    messages: Sequence[tuple[str, str]]
    sent: int
    left_out: int
    bundle: bool


def room_for_reply(window: int) -> int:
    """Return the tokens to leave for a reply in a window of this size."""
    return min(max(window // _REPLY_SHARE, LEAST_REPLY), _MOST_REPLY)


def fits_along(room: int) -> bool:
    """Return whether the room holds enough of the conversation to write a page from."""
    return room >= LEAST_TALK


def gather_along(
    snapshot: "Snapshot", session: str, room: int, counter: "Counter", pack: Callable[[int], str]
) -> CompanionMessages:
    """Return the bundle and the session's messages in `room` tokens; the messages get at least half.

    `pack` makes a bundle for a window of so many tokens, the kit's own for 0, and "" where none fits.
    """
    told = list(_messages(snapshot, session))
    around = max(AROUND, snapshot.settings.template_message)
    sizes = [counter.count(text) + around for _, text in told]
    left = room - min(sum(sizes), room // 2)
    bundle = _bundle(snapshot, left, counter, pack)
    room -= counter.count(bundle) + AROUND if bundle else 0
    kept: list[tuple[str, str]] = []
    for (role, text), size in zip(reversed(told), reversed(sizes), strict=True):
        if size > room:
            if not kept:
                # one message that is larger than the whole room
                kept.append((role, shorten(text, room - AROUND, counter).strip()))
            break
        kept.append((role, text))
        room -= size
    out = len(told) - len(kept)
    if out:
        kept.append(("user", GAP.strip()))
    before = [("system", bundle)] if bundle else []
    return CompanionMessages((*before, *reversed(kept)), len(told) - out, out, bool(bundle))


def _bundle(snapshot: "Snapshot", room: int, counter: "Counter", pack: Callable[[int], str]) -> str:
    """Return the kit's own bundle if it fits, else a smaller one, else ""; ring 0 is in the prompt."""
    if room < _LEAST_BUNDLE:
        return ""
    settings = snapshot.settings
    share = WHOLE - settings.live
    if settings.cap * share // WHOLE <= room and counter.count(usual := pack(0)) + AROUND <= room:
        return usual
    smaller = pack((room - AROUND) * WHOLE // share)
    return smaller if counter.count(smaller) + AROUND <= room else ""


def _messages(snapshot: "Snapshot", session: str) -> Sequence[tuple[str, str]]:
    """Return a session's messages as (role, text), each with its later corrections.

    Narration, and what other characters say in a group chat, is told to the persona.
    """
    settings = snapshot.settings
    entries = read_session(snapshot, session).shown()
    if not entries:
        return ()
    others = other_voices(entries, persona_names(snapshot))
    narrated = read_narration(snapshot, session)
    found = [("user", f"{NARRATOR}: {one.strip()}") for one in narrated.get(0, ())]
    for entry, unit in tell_entries(snapshot, session, entries, settings, bare=True):
        role, text = as_heard(replace(entry.message, text=unit.strip()), others)
        found.append(("assistant" if role == "assistant" else "user", text))
        found += [("user", f"{NARRATOR}: {one.strip()}") for one in narrated.get(entry.number or 0, ())]
    return found
