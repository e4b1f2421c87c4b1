"""Accept what waits: a suggestion or an edit becomes a change."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files import front_matter
from reel_cli.core.files.commit_message import (
    FORGOT,
    GONE,
    RATIFIED,
    RATIFIED_BY,
    Forgotten,
    render_forgotten,
)
from reel_cli.core.files.exemplar_file import set_active
from reel_cli.core.files.index_file import line_for, parse_index, put_lines
from reel_cli.core.files.kit_files import check_file, find_kind
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.approved_rings import has_pending_rotation
from reel_cli.core.kit.hand_edits import BY_HAND
from reel_cli.core.kit.proposal_kind import find_proposal_kind
from reel_cli.core.kit.snapshot import ACTIVE, IDENTITY, INDEX, Snapshot
from reel_cli.core.pack.ring0_limit import require_change_fits
from reel_cli.core.rings.lost_header import find_lost_header
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import MEMORY_ID, ActiveSet, IndexLine, Level, Memory, memory_path, where_of
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.forgetting.plan import stub_of
from reel_cli.features.review.open_decisions import RING_0, take_over
from reel_cli.features.review.proposals import NEED_A_NAME, Kind, WaitingProposal
from reel_cli.features.review.submissions import KeepingContext, plan_handed_in

REVIEW = "review"
NAMED = 2
"""Maximum number of files named in a subject; more are counted."""


def group_items(items: Sequence[WaitingProposal]) -> list[list[WaitingProposal]]:
    """Return the items that become one change: ring 0 edits, plain hand edits, and each other item alone."""
    groups: dict[str, list[WaitingProposal]] = {}
    for one in items:
        together = one.kind if one.kind in (Kind.RING0, Kind.HAND) else f"={one.item}"
        groups.setdefault(together, []).append(one)
    return list(groups.values())


def needs_a_name(items: Sequence[WaitingProposal]) -> bool:
    """Return whether accepting these needs an explicit confirmation and a name."""
    return any(one.kind in NEED_A_NAME for one in items)


def needs_an_editor(one: WaitingProposal) -> bool:
    """Return whether a suggestion for ring 0 says what should change, but not the exact words."""
    return one.kind is Kind.IDENTITY and one.before is None


def plan_accept(  # noqa: PLR0913 (what is accepted, by whom, on which day, in which kit)
    snapshot: Snapshot,
    repo: Repository,
    group: Sequence[WaitingProposal],
    waiting: Sequence[WaitingProposal],
    *,
    by: str,
    today: str,
    tokenizer: Counter,
    identity: str | None = None,
    word: str = "",
    told: KeepingContext | None = None,
) -> Change:
    """Return the change that accepts one group (see `group_items`) of all that is `waiting`.

    `by` is `Name <mail>`, "" where nobody was named; `today` a date; `identity` the whole file as a
    person edited it after a suggestion; `word` the one that the proposal's kind is told ("": none); `told`
    what keeping needs beside the kit, for what was handed in. Raises StateError for what cannot be accepted,
    ReelError for what is not fit to be.
    """
    one = group[0]
    _refuse(one, by)
    if one.kind in (Kind.IDENTITY, Kind.RING0):
        _refuse_company(group, waiting)
    plans: Mapping[Kind, Callable[[], Change]] = {
        Kind.IDENTITY: lambda: _suggestion(snapshot, one, identity),
        Kind.RING0: lambda: _ring_0(group),
        Kind.POOL: lambda: _pool(snapshot, repo, one),
        Kind.ROTATION: lambda: _rotation(repo, one),
        Kind.LINE: lambda: _line(snapshot, one),
        Kind.HANDED_IN: lambda: plan_handed_in(snapshot, repo, one, told),
    }
    plan = plans.get(one.kind)
    if plan is not None:
        change = plan()
    elif one.proposal is not None:
        said = word or _usual_word(snapshot, repo, one.proposal)
        change = _accept_proposal(snapshot, repo, one.proposal, today, said, tokenizer)
    else:
        change = _by_hand(snapshot, repo, group, tokenizer)
    require_change_fits(snapshot, repo, [change])
    return change.also({}, (RATIFIED_BY, by)) if by and one.kind in NEED_A_NAME else change


def _accept_proposal(  # noqa: PLR0913 (a decision, and the kit and history that it changes)
    snapshot: Snapshot, repo: Repository, proposal: Proposal, today: str, word: str, counter: Counter
) -> Change:
    """Return what accepting a proposal changes; what must stay comes back where it was pruned (REEL §3.3)."""
    back = _restore_pruned(snapshot, repo, proposal, today, counter)
    here = snapshot if back is None else snapshot.after(back)
    change = find_proposal_kind(proposal).accept(here, proposal, today, word)
    if back is None:
        return change
    writes = {**back.writes, **change.writes}
    return replace(
        back, summary=f"{back.summary}, now immune", writes=writes, notes=(*back.notes, *change.notes)
    )


def _restore_pruned(
    snapshot: Snapshot, repo: Repository, proposal: Proposal, today: str, counter: Counter
) -> Change | None:
    """Return the change that restores a memory that must stay; None where it is there or history lacks it."""
    name = proposal.memory
    if proposal.kind is not ReviewKind.IMMUNITY or not proposal.immune or name in snapshot.memories:
        return None
    from reel_cli.core.git.history import read_log
    from reel_cli.features.forgetting.plan_restore import losses_of, plan_restore

    now = datetime.fromisoformat(today)
    with suppress(ReelError):
        commits = read_log(repo)
        mine = (one.forgot.before for one in losses_of(snapshot, repo, commits) if one.forgot.id == name)
        level = next((before for before in mine if before in Level.__members__), None)
        return plan_restore(snapshot, repo, counter, commits, [name], level=level, now=now, pin=False).change
    return None


def _usual_word(snapshot: Snapshot, repo: Repository, proposal: Proposal) -> str:
    """Return the word that a plain yes stands for: an accepted example is shown (REEL §4.2).

    "" where the list of those that are shown has an edit of its own to be approved.
    """
    if proposal.kind is not ReviewKind.EXEMPLAR or has_pending_rotation(snapshot, repo):
        return ""
    return find_proposal_kind(proposal).choices(proposal)[0].word


def _refuse(one: WaitingProposal, by: str) -> None:
    """Refuse what nobody can accept, or nobody without a name."""
    if one.kind is Kind.TAPE:
        message = f"{one.path}: {one.why}."
        raise StateError(
            message, hint=f"to bring the recorded text back:  reel review reject {quote(one.item)}"
        )
    if one.kind is Kind.BROKEN and not one.path.startswith("review/"):
        raise StateError(one.why, hint=f"put a plain file in the place of {one.path}, or take it away")
    if one.kind is Kind.BROKEN:
        raise ReelError(one.why, hint=f"mend the file, or drop it with  reel review reject {quote(one.item)}")
    if one.kind in NEED_A_NAME and not by:
        message = "This needs a name."
        raise ReelError(message, hint='say whose word it is:  --as "Name <mail>"')


# -- ring 0 and the pool ----------------------------------------------------------------------


def _refuse_company(group: Sequence[WaitingProposal], waiting: Sequence[WaitingProposal]) -> None:
    """Refuse what would bring another, unread edit of ring 0 into force with it."""
    for other in waiting:
        if other.kind is not Kind.RING0 or other in group:
            continue
        same_file = group[0].kind is Kind.IDENTITY and other.path == group[0].text_path
        if same_file or other.committed != other.before:
            message = f"{other.path} has an edit of its own that would come into force with this."
            first = quote(other.item)
            hint = f"decide on that first:  reel review accept {first}  or  reel review reject {first}"
            raise ReelError(message, hint=hint)


def _suggestion(snapshot: Snapshot, one: WaitingProposal, edited: str | None) -> Change:
    data = edited.encode() if edited is not None else one.after if one.before is not None else None
    if data is None:
        message = "This suggestion does not say the exact words to change."
        raise ReelError(
            message,
            hint=f"edit {IDENTITY}, then  reel review accept {IDENTITY}  and  reel review reject {one.item}",
        )
    path = one.text_path
    if data == snapshot.read(path):
        message = f"Nothing was changed in {path}."
        raise ReelError(message, hint=f"drop the suggestion with  reel review reject {quote(one.item)}")
    _check_ring_0(path, data)
    change = Change(REVIEW, one.what, {path: data, one.path: None})
    return change.also({}, *_session(one))


def _ring_0(group: Sequence[WaitingProposal]) -> Change:
    writes: dict[str, bytes | None] = {}
    for one in group:
        if one.after is None and one.path == IDENTITY:
            message = f"Without {IDENTITY} there is nobody."
            raise ReelError(message, hint=f"take it back with  reel review reject {quote(one.item)}")
        if one.after is not None:
            _check_ring_0(one.path, one.after)
        writes[one.path] = one.after
    what = " and ".join(RING_0[one.path] for one in group)
    return Change(REVIEW, f"{what}, approved as edited by hand", writes)


def _check_ring_0(path: str, data: bytes) -> None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        message = f"{path} is not UTF-8 text."
        raise ReelError(message, hint="save the file as UTF-8") from None
    if not front_matter.split(text, path).body.strip() and path == IDENTITY:
        message = f"{path} is empty."
        raise ReelError(message, hint=f"take it back with  reel review reject {quote(path)}")


def _pool(snapshot: Snapshot, repo: Repository, one: WaitingProposal) -> Change:
    slug = one.path.removeprefix("ring1/").removesuffix(".md")
    if one.after is not None:
        check_file(one.path, one.after)
    if one.after is not None:
        return Change(REVIEW, f"the example {slug} as edited by hand", {one.path: one.after})
    active = snapshot.active
    if slug == active.anchor:
        message = f"{slug} is the example that is always there."
        hint = f"take it back with  reel review reject {quote(one.item)}"
        others = [other for other in (*active.active, *snapshot.exemplars) if other != slug]
        if others:
            hint += f"  or have another always there first:  reel example anchor {others[0]}"
        raise ReelError(message, hint=hint)
    writes: dict[str, bytes | None] = {one.path: None}
    if slug in active.active and has_pending_rotation(snapshot, repo):
        # taking it off the list would approve the edit of the list
        message = f"{ACTIVE} has an edit of its own that would come into force with this."
        first = f"reel review accept {ACTIVE}  or  reel review reject {ACTIVE}"
        raise ReelError(message, hint=f"decide on that first:  {first}")
    if slug in active.active:
        left = ActiveSet(active.anchor, tuple(s for s in active.active if s != slug), active.resting)
        writes[ACTIVE] = set_active(snapshot.text(ACTIVE) or "", left).encode()
    return Change(REVIEW, f"the example {slug} is taken out of the pool", writes)


def _rotation(repo: Repository, one: WaitingProposal) -> Change:
    if one.after is not None:
        check_file(one.path, one.after)
    change = Change(REVIEW, "which examples are shown, as edited by hand", {one.path: one.after})
    if one.after != one.committed:
        return change
    return change.also({}, (RATIFIED, f"{one.path} {GONE if one.after is None else repo.blob_id(one.after)}"))


def _session(one: WaitingProposal) -> tuple[tuple[str, str], ...]:
    session = one.proposal.session if one.proposal else ""
    return (("Reel-Session", session),) if SESSION_ID.fullmatch(session) else ()


# -- everything else --------------------------------------------------------------------------


def _line(snapshot: Snapshot, one: WaitingProposal) -> Change:
    edit = one.line
    assert edit is not None  # noqa: S101
    path = memory_path(edit.memory.id)
    taken = take_over(snapshot.text(path) or "", edit)
    memory = parse_memory(taken, path)
    index = put_lines(snapshot.text(INDEX) or "", [line_for(memory)])
    called = for_screen(f'"{one_line(memory.title)}"', memory.id)
    summary = f"the line of {called} in the index, taken over into its file"
    return Change(BY_HAND, summary, {path: taken.encode(), INDEX: index.encode()})


def _by_hand(
    snapshot: Snapshot, repo: Repository, group: Sequence[WaitingProposal], tokenizer: Counter
) -> Change:
    """Commit edits as they lie on the disk; a memory's line in the index follows its file."""
    writes: dict[str, bytes | None] = {}
    trailers: list[tuple[str, str]] = []
    index: list[IndexLine] = []
    for one in group:
        now = snapshot.read(one.path)
        if now is not None:
            check_file(one.path, now)
            _require_header(one, now)
            kind = find_kind(one.path)
            if kind is not None and kind.edited is not None:
                kind.edited(snapshot, one.path)
        writes[one.path] = now
        name = one.path.removeprefix("ring3/").removesuffix(".md")
        if one.path != memory_path(name) or not MEMORY_ID.fullmatch(name):
            continue
        if now is not None:
            parse_memory(now.decode(), one.path, later=snapshot.is_later)
        was = _read_memory(one.before, one.path)
        if now is None and was is not None:
            # a memory that had no line gets none
            line = stub_of(snapshot, was) if was.id in _index(snapshot) else None
            loss = Forgotten(
                was.id,
                was.level.value,
                "stub",
                tokenizer.count(was.body),
                0,
                ",".join(map(str, where_of(was))),
                repo.blob_id(one.before or b""),
                "deleted by hand",
            )
            trailers.append((FORGOT, render_forgotten(loss)))
        else:
            line = _follow(snapshot, was, _read_memory(now, one.path))
        index += [line] if line is not None else []
    if trailers:
        trailers.append(("Reel-Tokenizer", tokenizer.name))
    if index:
        writes[INDEX] = put_lines(snapshot.text(INDEX) or "", index).encode()
    return Change(BY_HAND, _summary(group), writes, tuple(trailers))


def _require_header(one: WaitingProposal, now: bytes) -> None:
    """Raise ReelError for a memory or an example whose header an edit broke, with the ways on."""
    lost = find_lost_header(one.path, one.before, now)
    if lost is not None:
        back = f"reel review reject {quote(one.item)}"
        raise ReelError(lost.message, hint=f"{lost.hint}  ; or put the whole file back:  {back}")


def _read_memory(data: bytes | None, path: str) -> Memory | None:
    try:
        return None if data is None else parse_memory(data.decode(), path)
    except (ReelError, UnicodeDecodeError):
        return None


def _follow(snapshot: Snapshot, was: Memory | None, now: Memory | None) -> IndexLine | None:
    """Return the line that follows from an edited file, unless the line was edited too."""
    if now is None:
        return None
    line = _index(snapshot).get(now.id)
    same = was is None or line is None or line == line_for(was)
    return line_for(now) if line is not None and same and was is not None else None


def _index(snapshot: Snapshot) -> Mapping[str, IndexLine]:
    return parse_index(snapshot.text(INDEX) or "").lines


def _summary(group: Sequence[WaitingProposal]) -> str:
    names = [one.path for one in group]
    if len(names) > NAMED:
        return f"{len(names)} files, by hand"
    return f"{' and '.join(names)}, by hand"
