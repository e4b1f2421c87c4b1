"""Chats that an app copied from a chat on the tape: checkpoints and branches, each a file of its own there.

All of them are one session. It shows the chat that was gone on with last; what was said only in another is
kept beside it as a road not taken, so that nothing stands twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, moment
from reel_cli.core.tape.continuation import Continuation, Pairs, State, TapeEntries, align, continue_session
from reel_cli.core.tape.tape_view import read_events, told_later
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, Session

FORK = "fork"
"""The kind of event that says which other chat of an app a session holds; its text is that chat's key."""
LATEST = "latest fork"
"""The kind of event that says which of its chats a session shows, by key."""
LEAST_SAME = 3
"""Messages of the person, at the same moments, that make two chats one though they begin differently."""


@frozen
class ForkMatch:
    """The addition of a chat to the session of the chat it was copied from.

    `latest`: the session then shows this chat. `beside` counts the messages that are kept as a road.
    """

    more: Continuation
    latest: bool
    beside: int = 0


def list_forks(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the session of each chat that is recorded as another's copy, by the chat's key."""
    return {
        event.text: event.session for event in read_events(snapshot) if event.kind == FORK and event.session
    }


def latest_fork(snapshot: Snapshot, session: Session) -> str | None:
    """Return the key of the chat that a session shows."""
    return told_later(snapshot, session.id).get(LATEST) or session.key


def is_fork(session: Session, conversation: Conversation) -> bool:
    """Return whether a chat has a beginning in common with a session, which no two chats have by chance.

    It ends with something the person said at the same moment, or, where the times are not known, in a chat
    that names another as its own beginning. Where that was edited since, most of what the person said in the
    shorter one must be in both.
    """
    shown, said = session.shown(), conversation.said()
    same = []
    for place, (old, new) in enumerate(_pairs(shown, said)):
        if said[new].role != "user":
            continue
        then, now = moment(shown[old].message.time or ""), moment(said[new].time or "")
        if then != NEVER and then == now:
            same.append(old)
            known = True
        else:
            # the same words at two moments were said twice: a copy keeps the times
            known = conversation.branch_of is not None and NEVER in (then, now)
        if known and old == new == place:
            return True
    spoken = min(
        sum(entry.message.role == "user" for entry in shown), sum(message.role == "user" for message in said)
    )
    return len(same) >= LEAST_SAME and 2 * len(same) > spoken


def match_fork(session: Session, conversation: Conversation, *, latest: bool) -> ForkMatch:
    """Return what a chat adds to a session that holds it or a chat it was copied from.

    `latest`: it is the one that the session shows now, and is followed in all that changed.
    """
    if conversation.key != session.key:
        conversation = _with_new_roads(conversation, session)
    shown, said = session.shown(), conversation.said()
    pairs = _pairs(shown, said)
    held = len(pairs) == len(said) <= len(shown) and pairs == _first(len(said))
    longer = len(pairs) == len(shown) < len(said) and pairs == _first(len(shown))
    newer = _last_time(said) > _last_time([entry.message for entry in shown])
    if latest or longer or (newer and not held):
        return ForkMatch(continue_session(session, conversation, pairs, partial=False), latest=True)
    entries = tuple(_beside(session, conversation, pairs))
    state = State.GROWN if entries else State.KNOWN
    texts = {message.text for message in said}
    beside = sum(e.message.kind is Kind.VERSION and e.message.text in texts for e in entries)
    return ForkMatch(Continuation(state, entries, len(pairs)), latest=False, beside=beside)


def _pairs(shown: Sequence[Entry], said: Sequence[Message]) -> Pairs:
    return align([(e.message.role, e.message.text) for e in shown], [(m.role, m.text) for m in said])


def _first(count: int) -> Pairs:
    return [(at, at) for at in range(count)]


def _last_time(said: Sequence[Message]) -> datetime:
    return max((moment(message.time or "") for message in said), default=NEVER)


def _beside(session: Session, conversation: Conversation, pairs: Pairs) -> list[Entry]:
    """Return what only this chat holds: what was said, as a road that leaves the session where it did."""
    shown, said = session.shown(), conversation.said()
    common = {new: shown[old].number or 0 for old, new in pairs}
    # what another copy said, now or before it was left, is on the tape already
    held = TapeEntries(session)
    road = _next_road(session, [message for at, message in enumerate(said) if at not in common])
    after, index = 0, -1
    found: list[Entry] = []
    for message in conversation.messages:
        aside = message
        if message.kind is Kind.SAID:
            index += 1
            if index in common:
                after = common[index]
                continue
            aside = replace(message, kind=Kind.VERSION, road=road)
        if not held.take(aside):
            found.append(Entry(None, aside, after=after))
    return found


def _with_new_roads(conversation: Conversation, session: Session) -> Conversation:
    """Return the conversation with roads whose numbers are not those of the session's."""
    taken = max((entry.message.road or 0 for entry in session.entries), default=0)
    messages = [m if m.road is None else replace(m, road=m.road + taken) for m in conversation.messages]
    return replace(conversation, messages=tuple(messages))


def _next_road(session: Session, tail: Sequence[Message]) -> int:
    """Return the road that a chat goes on with, or the next new one."""
    roads: dict[int, list[str]] = {}
    for entry in session.entries:
        if entry.message.road is not None and entry.message.kind is Kind.VERSION:
            roads.setdefault(entry.message.road, []).append(entry.message.text)
    told = [message.text for message in tail]
    begun = [road for road, texts in roads.items() if told[: len(texts)] == texts]
    return max(begun, key=lambda road: len(roads[road])) if begun else max(roads, default=0) + 1
