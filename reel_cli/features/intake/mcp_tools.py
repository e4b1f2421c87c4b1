"""The tool by which a model notes what was just said, and how that is kept."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import Tape, find_claim
from reel_cli.core.exchange.tool import (
    OP,
    Argument,
    HandedInPlan,
    HandIn,
    HandInKind,
    KeepScope,
    Tool,
    make_proposal,
)
from reel_cli.core.tape.tape_view import read_session, speaker, standing_sessions
from reel_cli.core.values.change import Change
from reel_cli.core.values.review import Proposal
from reel_cli.features.intake.entry import LONGEST, MODEL, PLACES, Candidate
from reel_cli.features.intake.queue import put_in_queue

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

REMEMBER = "remember"
SEARCHED = 20
"""Number of newest sessions searched for the words to remember."""


def remember(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Queue said words for a decision; note them at once if the kit trusts this and they are found."""
    now = opened.now()
    words, why = " ".join(given["words"].split()), " ".join(given.get("why", "").split())
    proposal = hand_in_words(words, why, given.get("where", ""), now)
    if find_said(opened.snapshot, words) is None:
        # the chat that it comes from is rarely recorded while it goes on
        wait = " It is looked for on the tape then, so the chat has to be recorded."
        return HandIn(proposal, waits=wait)
    return HandIn(proposal)


def hand_in_words(words: str, why: str, where: str, now: datetime) -> Proposal:
    """Return a proposal to remember something; raises ReelError if `where` is not a place."""
    if where not in ("", *PLACES):
        message = f"{where!r} is no place for it."
        raise ReelError(message, hint=f"one of: {', '.join(PLACES)}")
    return make_proposal(REMEMBER, "something to remember", "", words, now, why=why, where=where)


def _keep(scope: KeepScope) -> HandedInPlan:
    """Return the change that queues said words for the next page, like all that was noticed."""
    snapshot, proposal = scope.snapshot, scope.proposal
    if not snapshot.settings.intake_most:
        message = "This kit notes nothing of what is said (intake.most is 0 in kit.yaml)."
        raise ReelError(message, hint='raise it, or write it down with  reel fact add CATEGORY KEY "VALUE"')
    found = find_said(snapshot, proposal.text)
    if found is None:
        message = f"Those words were not said in the newest {SEARCHED} chats."
        raise ReelError(
            message, hint="quote them as they were said, and record the chat first:  reel record FILE"
        )
    why = proposal.why or "noted while talking"
    candidate = replace(found, why=why, where=proposal.where, by=MODEL)
    session = candidate.source.partition("#")[0]
    empty = Change(OP, f"something to remember of session {session}", {}, (("Reel-Session", session),))
    change = put_in_queue(snapshot, empty, [candidate])
    if change is empty:
        message = "That is noted already."
        raise ReelError(message, hint="see what is with  reel status")
    return HandedInPlan(change)


def find_said(snapshot: "Snapshot", words: str) -> Candidate | None:
    """Return words as they were said, in the newest session that has them, or None."""
    settings = snapshot.settings
    for session in [*reversed(standing_sessions(snapshot))][:SEARCHED]:
        shown = read_session(snapshot, session).shown()
        found = find_claim(Tape(shown), " ".join(words.split()))
        entry = next((one for one in shown if found is not None and one.number == found.number), None)
        if found is not None and entry is not None:
            who = speaker(entry, user=settings.user, persona=settings.name)
            return Candidate(f"{session}#{found.number}", found.text, who, entry.message.time or session[:10])
    return None


KINDS = (HandInKind(REMEMBER, _keep),)
TOOLS = (
    Tool(
        20,
        "remember",
        "Remember",
        "Note something that was just said; whether it is kept is decided later. Quote it exactly.",
        (
            Argument(
                "words", "string", "The words as they were said, a sentence or two.", LONGEST, required=True
            ),
            Argument("why", "string", "Why it matters, in a few words.", 300),
            Argument("where", "string", "Where it belongs, if that is plain.", 20, one_of=PLACES),
        ),
        remember,
    ),
)
