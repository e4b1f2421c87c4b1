"""Breathing of a kit: gathered from the tape, history's trailers and advice; nothing is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.moment import NEVER, moment
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.talk import Kind, session_path
from reel_cli.features.page.due import checkpoint_counts, new_messages
from reel_cli.features.status.breath_policy import Acts, Breath, In, Next, Standing, list_next
from reel_cli.features.watch.gauge import UNSEEN

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.fullness import Fullness
    from reel_cli.core.values.holdings import Counter

_APART = (Kind.BUNDLE, Kind.SYSTEM)
"""Kinds of messages that a chat begins from, and that nobody said."""


@dataclass(frozen=True, slots=True)
class Breathing:
    """The breathing of a kit: `breaths` are the sessions, oldest first; `before` is what preceded them."""

    name: str
    cap: int
    breaths: Sequence[Breath]
    before: Acts
    following: Sequence[Next]


def read_breathing(  # noqa: PLR0913 (the kit, its history, and what goes on)
    snapshot: "Snapshot",
    acts: Mapping[str, Acts],
    counter: "Counter",
    *,
    live: "Fullness | None" = None,
    then: bool = False,
    advance: Callable[[float], None] = lambda _: None,
) -> Breathing:
    """Return how the kit breathed; `acts` are from history by session, `live` is the chat under way.

    Of a moment of the past (`then`) nothing is due. `advance` is told of each session that has to be counted.
    """
    settings = snapshot.settings
    sessions = standing_sessions(snapshot)
    came = _read_in(snapshot, sessions, counter, advance)
    breaths = [Breath(name, came[name], acts.get(name, Acts()), name) for name in sessions]
    cap = min(settings.cap, settings.window)
    following = [] if then else list_next(_standing(snapshot, breaths, cap, live))
    return Breathing(settings.name, cap, breaths, acts.get("", Acts()), following)


def _read_in(
    snapshot: "Snapshot", sessions: Sequence[str], counter: "Counter", advance: Callable[[float], None]
) -> Mapping[str, In]:
    """Return what came in with each session; counts are kept by file."""
    names = {session_path(name): name for name in sessions}

    def note(path: str) -> list[Any]:
        advance(1)
        try:
            entries = read_session(snapshot, names[path]).entries
        except ReelError:
            return [0, 0, 0, "", ""]
        bundle = turns = said = 0
        times = [entry.message.time for entry in entries if entry.message.time]
        for entry in entries:
            kind = entry.message.kind
            if kind in UNSEEN:
                continue
            size = counter.count(entry.message.text)
            if kind in _APART:
                bundle += size
            else:
                turns += size
            said += kind is Kind.SAID
        return [bundle, turns, said, times[0] if times else "", times[-1] if times else ""]

    notes: Mapping[str, Any] = snapshot.note(f"breath 1 {counter.name}", names, note)
    return {names[path]: In(*note) for path, note in notes.items()}


def _standing(snapshot: "Snapshot", breaths: Sequence[Breath], cap: int, live: "Fullness | None") -> Standing:
    newest = breaths[-1] if breaths else Breath("", In(), Acts())
    name = newest.session
    fresh = new_messages(snapshot, name) if name else 0
    used = live.tokens if live is not None else newest.used
    paged = name in checkpoint_counts(snapshot) or bool(newest.acts.pages or newest.acts.keeps)
    return Standing(
        name,
        used,
        live.cap if live is not None else cap,
        live.said if live is not None else newest.came.messages,
        fresh,
        live.turns if live is not None else newest.came.turns,
        _minutes(newest.came),
        bool(name) and not paged,
        live is not None,
        _asked(snapshot),
    )


def _minutes(came: In) -> int | None:
    first, last = moment(came.first), moment(came.last)
    if NEVER in (first, last):
        return None
    return max(0, int((last - first).total_seconds()) // 60)


def _asked(snapshot: "Snapshot") -> bool:
    """Return whether advice asks to have things cleared away soon."""
    return any(kind.wants_room(snapshot) for kind in find_kinds(snapshot) if kind.wants_room is not None)
