"""The intake: what waits to be decided, and what was decided (Memory Keep §II.3.1)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tape.tape_view import corrections, read_session, retracted, standing_sessions
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.talk import PURGED
from reel_cli.features.intake.entry import (
    DOMAIN,
    EXPERIENCE,
    FACTS,
    FIRM,
    NOWHERE,
    REEL,
    WORKING,
    Candidate,
    DecidedCandidate,
    Decision,
    Queue,
    day_order,
    without_too_many,
)
from reel_cli.features.intake.files import INTAKE, edit_intake, parse_intake, with_overflow

if TYPE_CHECKING:
    from reel_cli.core.evidence.grounding.dates import When
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.talk import SourceRange
    from reel_cli.features.facts.fact import Fact

TOLD = 12
"""Maximum number of kept items listed when a conversation is summed up."""
PLACED = {
    FACTS: "known by heart",
    EXPERIENCE: "to be found again",
    DOMAIN: "in a table",
    WORKING: "kept in mind",
    NOWHERE: "not kept",
}
"""Descriptions of each place that something may go to."""
TRAILER, LET_GO = "Reel-Intake", "Reel-Intake-Let-Go"
"""A decision, `nowhere 2026-02-10-1#3`; how many old decisions left the file."""
UNSAID = "it stands no longer in the chat"
"""Reason for dropping an item that was edited out of the chat."""


def read_queue(snapshot: "Snapshot") -> Queue:
    """Return all that waits and was decided; raises ReelError if the file cannot be read."""
    text = snapshot.text(INTAKE)
    return parse_intake(text) if text is not None else Queue()


def put_in_queue(
    snapshot: "Snapshot",
    change: Change,
    found: Sequence[Candidate],
    is_unsaid: Callable[[Candidate], bool] = lambda _one: False,
) -> Change:
    """Return the change with these in the queue; unchanged if all are known already.

    What waits and `is_unsaid` is let go of. What there is no room for leaves the queue undecided where a page
    of its chat notices it again (`find_own`); what somebody noted is let go of. Raises ReelError where the
    queue cannot be read.
    """
    from reel_cli.features.intake.detection import weight_of

    text = snapshot.text(INTAKE) or ""
    queue = parse_intake(text)
    most = snapshot.settings.intake_most
    known = {one.key for one in queue.waiting} | {one.candidate.key for one in queue.decided}
    fresh = list({one.key: one for one in found if one.key not in known}.values())
    unsaid = [one for one in queue.waiting if is_unsaid(one)]
    if not fresh and not unsaid:
        return change
    weighed = [
        (one, FIRM if one.by != REEL else weight_of(one.why) or FIRM)
        for one in (*queue.waiting, *fresh)
        if one not in unsaid
    ]
    out = without_too_many(weighed, most) if fresh else ()
    pushed = [one for one in out if one.by != REEL]
    gone = {one.key for one in out}
    let_go = {one.key for one in pushed}
    decision = Decision(NOWHERE, f"no room: {most:,} others came before it", REEL)
    settled = {at: decision for at, one in enumerate(queue.waiting) if one.key in let_go}
    settled |= {at: Decision(NOWHERE, UNSAID, REEL) for at, one in enumerate(queue.waiting) if one in unsaid}
    edited = edit_intake(
        text,
        settled,
        [one for one in fresh if one.key not in gone],
        [DecidedCandidate(one, decision) for one in fresh if one.key in let_go],
        snapshot.settings.intake_keep,
        [at for at, one in enumerate(queue.waiting) if one.key in gone - let_go],
    )
    full = max([queue.overflow, *(one.place.session for one in out if one.place)], key=day_order)
    if full != queue.overflow:
        edited = replace(edited, text=with_overflow(edited.text, full))
    if edited.text == text:
        return change
    trailers = [(TRAILER, f"{NOWHERE} {one.source}") for one in (*unsaid, *pushed)]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    return change.also({INTAKE: edited.text.encode()}, *trailers)


def count_waiting(snapshot: "Snapshot") -> int | None:
    """Return how many things wait that a page will ask about; None if the file cannot be read.

    What is known by heart already is not asked.
    """
    from reel_cli.features.intake.known_candidates import list_known

    if snapshot.read(INTAKE) is None or not snapshot.settings.intake_asked:
        return 0

    def count(_path: str) -> int | None:
        try:
            return len(read_queue(snapshot).waiting)
        except ReelError:
            return None

    # the file alone does not tell which chats still count
    noted: int | None = snapshot.note("intake", [INTAKE], count)[INTAKE]
    if not noted:
        return noted
    waiting = waiting_to_ask(snapshot, read_queue(snapshot))
    return len(waiting) - len(list_known(snapshot, waiting))


def kept_of(snapshot: "Snapshot", sessions: Collection[str]) -> Sequence[str]:
    """Return what was kept from some sessions, the last `TOLD` of it in its own words."""
    try:
        decided = read_queue(snapshot).decided
    except ReelError:
        return ()
    told = [
        one.candidate.words
        for one in decided
        if one.decision.where not in ("", NOWHERE)
        and (place := one.candidate.place) is not None
        and place.session in sessions
    ]
    return told[-TOLD:]


def list_reminders(
    snapshot: "Snapshot", has_come: "Callable[[str, date], bool]"
) -> Sequence[tuple[str, str, date, str]]:
    """Return what was asked, promised or arranged, with who said it, on which day, and the place in the chat.

    `has_come` says of words and that day whether the time they name has come; others are left out. So is what
    a page keeps in mind or does not keep: the first is a note, the other is nothing. What was put right since
    (`reel tape correct`) is left out as well, and so is what a newer fact gives another day, or a later chat
    (`not the 14th any more`).
    """
    try:
        queue = read_queue(snapshot)
    except ReelError:
        # a file that cannot be read is told as damage
        return ()
    there, persona = frozenset(standing_sessions(snapshot)), snapshot.settings.name
    kept = [one.candidate for one in queue.decided if one.decision.where not in (WORKING, NOWHERE)]
    said = [
        (one.words, one.who, date.fromisoformat(place.session[:10]), place)
        for one in (*kept, *queue.waiting)
        if (place := one.place) is not None and place.session in there
    ]
    come = [one for one in said if has_come(one[0], one[2])]
    if not come:
        return ()
    right, moved = corrections(snapshot), _read_moved(snapshot)
    from reel_cli.features.intake.detection import notice
    from reel_cli.features.intake.signs import FOR_A_DAY

    # a decided one has the reason of the decision
    return [
        (words, who, day, f"{place.session}#{place.first}")
        for words, who, day, place in come
        if any(found.why in FOR_A_DAY for found in notice(words, own=who == persona))
        and not any(
            event.about is None or event.about[0] <= place.first <= event.about[1]
            for event in right.get(place.session, ())
        )
        and not _has_moved(words, place, moved)
        and not _is_denied_later(snapshot, words, place)
    ]


def _is_denied_later(snapshot: "Snapshot", words: str, place: "SourceRange") -> bool:
    """Return whether a later turn about the same says of each day that words name that it is not that one.

    A chat that cannot be read says nothing; it is told as damage.
    """
    from reel_cli.core.evidence.grounding.lexicon import even

    named = _days_of(words, place.session)
    left = {one for one in named if one[1]}
    if not left or left != named:
        return False
    sessions = standing_sessions(snapshot)
    for session in sessions[sessions.index(place.session) :]:
        with suppress(ReelError):
            for entry in read_session(snapshot, session).shown():
                if session != place.session or (entry.number or 0) > place.last:
                    left -= _read_denied(even(entry.message.text), words, session)
        if not left:
            return True
    return False


def _read_denied(text: str, words: str, session: str) -> frozenset[tuple[int, int]]:
    """Return the days, with their months, that a text takes from what words tell; a question takes none."""
    from reel_cli.core.evidence.grounding.dates import dates
    from reel_cli.core.evidence.grounding.lexicon import sentences, telling
    from reel_cli.core.moment import read_day

    found: set[tuple[int, int]] = set()
    mine = telling(words)
    for start, end in sentences(text) if _MAY_DENY.search(text) else ():
        sentence = text[start:end]
        days = [
            one
            for one in dates(sentence, read_day(session), said=True)
            if _DENIED.search(sentence, 0, one.start) or _NO_MORE.match(sentence, one.end)
        ]
        about = telling(_blank(sentence, days)) - telling(_IS_OFF)
        if days and not _ASKS.search(sentence) and (about <= mine or about & mine):
            found |= {(first.day, first.month) for one in days for first, _ in one.spans}
    return frozenset(found)


def _blank(text: str, days: "Sequence[When]") -> str:
    """Return a text without these days."""
    for one in reversed(days):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


_IS_OFF = "not any more no longer is off moved"
_ASKS = late(r"(?i)[?？]|\b(?:why|if|unless|whether) not\b")
_MAY_DENY = late(r"(?i)\b(?:not|no longer|instead of|rather than|any ?more)\b")
_NO_MORE = late(r"(?i)\s+(?:any ?more|no longer|is off)\b")


def _read_moved(snapshot: "Snapshot") -> "Sequence[tuple[SourceRange, Fact]]":
    """Return the facts that name a day and whose successor names another, with the place of each."""
    from reel_cli.core.values.talk import parse_source
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import current_facts, fact_name

    try:
        facts = read_facts(snapshot)
    except ReelError:
        # a file that cannot be read is told as damage
        return ()
    stands = {fact_name(one): one for one in current_facts(facts)}
    found: list[tuple[SourceRange, Fact]] = []
    for one in facts:
        now = stands.get(fact_name(one))
        place = parse_source(one.source)
        if now is None or place is None or now.when <= one.when:
            continue
        before, since = _days_of(one.value, one.when), _days_of(now.value, now.when)
        if before and since and before.isdisjoint(since):
            found.append((place, one))
    return found


def _days_of(value: str, said: str) -> frozenset[tuple[int, int]]:
    """Return the days that a value gives to a thing, as day and month; of `the 24th` the month is 0.

    `Not the 3rd of April` gives none.
    """
    from reel_cli.core.evidence.grounding.dates import dates
    from reel_cli.core.evidence.grounding.lexicon import even
    from reel_cli.core.moment import read_day

    plain = even(value)
    found: set[tuple[int, int]] = set()
    for one in dates(plain, read_day(said), said=True):
        if _DENIED.search(plain, 0, one.start):
            continue
        found |= {(first.day, first.month) for first, _ in one.spans}
        if one.day and not one.spans:
            found.add((one.day, 0))
    return frozenset(found)


_DENIED = late(r"(?i)\b(?:not|no longer|instead of|rather than)(?: on| by| for)?(?: the)?\s*$")


def _has_moved(words: str, place: "SourceRange", moved: "Sequence[tuple[SourceRange, Fact]]") -> bool:
    """Return whether words say, in the chat of such a fact, what it says.

    They are those of its place, or have its name and name its day.
    """
    from reel_cli.core.evidence.grounding.lexicon import telling
    from reel_cli.core.evidence.own_words import LENT

    mine = telling(words)
    return any(
        there.session == place.session
        and telling(fact.value) - LENT <= mine
        and (
            there.first <= place.first <= there.last
            or (telling(fact.key) <= mine and _share_a_day(_days_of(words, place.session), fact))
        )
        for there, fact in moved
    )


def _share_a_day(days: frozenset[tuple[int, int]], fact: "Fact") -> bool:
    """Return whether a fact names one of these days; `the 24th` may be of any month."""
    return any(
        day == other and (month == another or not (month and another))
        for day, month in days
        for other, another in _days_of(fact.value, fact.when)
    )


def told_of(snapshot: "Snapshot", session: str, first: int, last: int) -> Sequence[str]:
    """Return what was noticed in some messages of a session, and what became of it, in sentences."""

    def meets(one: Candidate) -> bool:
        here = one.place is not None and one.place.session == session and first <= one.place.first <= last
        # of what was erased there is nothing to tell
        return here and one.words != PURGED

    try:
        queue = read_queue(snapshot)
    except ReelError:
        return ()
    decided = [one for one in queue.decided if meets(one.candidate)][-TOLD:]
    told = [
        f"“{one_line(one.candidate.words, 80)}” is {PLACED.get(one.decision.where, 'decided')}:"
        f" {one_line(one.decision.why, 120).rstrip('.')}."
        for one in decided
    ]
    waits = [one for one in waiting_to_ask(snapshot, queue) if meets(one)][-TOLD:]
    return [*told, *(f"“{one_line(one.words, 80)}” waits to be decided: {one.why}." for one in waits)]


def let_go(snapshot: "Snapshot", change: Change, gone: Mapping[str, Sequence["SourceRange"]]) -> Change:
    """Return the change with what waits of some stretches not kept: a person forgets the memory of them.

    `gone` are the stretches by the memory's ID. The change stays as it is if the queue cannot be read.
    """
    text = snapshot.text(INTAKE)
    if text is None:
        return change
    try:
        waiting = parse_intake(text).waiting
        settled = {
            at: Decision(NOWHERE, f"forgotten with {name}", REEL)
            for name, spans in gone.items()
            for at, one in enumerate(waiting)
            if one.place and any(_is_within(one.place, span) for span in spans)
        }
        if not settled:
            return change
        edited = edit_intake(text, settled, [], [], snapshot.settings.intake_keep)
    except ReelError:
        return change
    trailers = [(TRAILER, f"{NOWHERE} {waiting[at].source}") for at in sorted(settled)]
    if edited.gone:
        trailers.append((LET_GO, str(edited.gone)))
    return change.also({INTAKE: edited.text.encode()}, *trailers)


def _is_within(place: "SourceRange", span: "SourceRange") -> bool:
    return place.session == span.session and (not span.last or span.first <= place.first <= span.last)


def waiting_to_ask(snapshot: "Snapshot", queue: Queue) -> Sequence[Candidate]:
    """Return what waits and is on the tape as shown, in sessions that count."""
    gone = retracted(snapshot)
    there = frozenset(snapshot.sessions)
    named = {one.place.session for one in queue.waiting if one.place} & there - gone
    # what stood beside purged words tells of them
    shown = {
        name: {
            entry.number for entry in read_session(snapshot, name).shown() if PURGED not in entry.message.text
        }
        for name in named
    }
    return [one for one in queue.waiting if one.place and one.place.first in shown.get(one.place.session, ())]
