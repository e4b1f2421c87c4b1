"""Notes that a page closes and nobody looked at, as they wait in `reel review` (REEL §6.6)."""

from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.files import working_file
from reel_cli.core.files.review_file import review_path
from reel_cli.core.kit.proposal_kind import Choice, ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.page.proposals import closing_of, tell_closing


def _tell(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    text = snapshot.text(WORKING) or ""
    after = _without_closed(text, proposal)
    where = f"on the page of chat {proposal.session}"
    them = "it" if len(closing_of(proposal)) == 1 else "them"
    # a page that a person read has some that wait as well
    rule = f": {one_line(proposal.why)}" if proposal.why else ", and nobody looked at it"
    why = f"{snapshot.settings.name} closes {them} {where}{rule}"
    if after == text:
        why = "none of them stands there any more, so this can be dropped"
    return ProposalInWords(proposal.title, why, after, text, WORKING)


def _without_closed(text: str, proposal: Proposal) -> str:
    """Return the working notes without those that the proposal closes and that still stand."""
    wanted = closing_of(proposal)
    closed = [item for item in working_file.read_items(text) if one_line(item.text) in wanted]
    return working_file.apply_edit(text, working_file.Edit(closed=closed)) if closed else text


def _accept(snapshot: Snapshot, proposal: Proposal, _today: str, _word: str) -> Change:
    """Close the notes that still stand; where none does, only the proposal goes."""
    writes: dict[str, bytes | None] = {review_path(proposal.id): None}
    text = snapshot.text(WORKING) or ""
    after = _without_closed(text, proposal)
    if after != text:
        writes[WORKING] = after.encode()
    session = proposal.session
    about = (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()
    count = len(closing_of(proposal))
    return Change("review", "a note closed" if count == 1 else f"{count:,} notes closed", writes, about)


def _split(proposal: Proposal) -> Sequence[Proposal]:
    return [_with_notes(proposal, [note]) for note in closing_of(proposal)]


def _merge(parts: Sequence[Proposal]) -> Proposal:
    return _with_notes(parts[0], [note for part in parts for note in closing_of(part)])


def _with_notes(proposal: Proposal, notes: Sequence[str]) -> Proposal:
    title, text = tell_closing(notes)
    return replace(proposal, title=title, text=text)


CLOSINGS = ProposalKind(
    ReviewKind.CLOSING,
    _tell,
    _accept,
    lambda _proposal: (
        Choice("y", "close", "Closed"),
        Choice("n", "leave open", "Left open", drops=True),
    ),
    split=_split,
    merge=_merge,
    names=closing_of,
)
