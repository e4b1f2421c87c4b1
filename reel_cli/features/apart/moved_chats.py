"""Recorded chats moved into a chat kept apart: they stay there, and count here no more."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import KEPT_APART
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import where_of
from reel_cli.core.values.source import parse_source

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class KnownOfChats:
    """Knowledge that a kit has of some of its chats, and has no more once they are moved.

    `memories` are memories and index lines by ID, also those that know of more; `examples` the slugs of
    exchanges from these chats, without the anchor; `proposals` files of `review/`. `anchor` is the anchor's
    slug where it is from one of them: every bundle has it, so only a person can take another.
    """

    memories: Sequence[str]
    examples: Sequence[str]
    proposals: Sequence[str]
    anchor: str = ""


def find_known(snapshot: Snapshot, sessions: Sequence[str]) -> KnownOfChats:
    """Return what a kit knows of these chats beside notes, facts and its story."""
    wanted = set(sessions)
    memories = [
        one.id
        for one in snapshot.memories.values()
        if wanted.intersection(one.sessions) or any(span.session in wanted for span in where_of(one))
    ]
    lines = [
        line.id
        for line in snapshot.index.lines.values()
        if line.where is not None and line.where.session in wanted
    ]
    known = list(dict.fromkeys([*memories, *lines]))
    examples = [
        slug
        for slug, example in snapshot.exemplars.items()
        if (span := parse_source(example.source)) is not None and span.session in wanted
    ]
    anchor = snapshot.active.anchor or ""
    return KnownOfChats(
        known,
        [slug for slug in examples if slug != anchor],
        list(_list_proposals(snapshot, {*wanted, *known})),
        anchor if anchor in examples else "",
    )


def _list_proposals(snapshot: Snapshot, known: set[str]) -> Iterator[str]:
    """Yield the files of `review/` that come from one of these chats or memories, or speak of one."""
    for path in snapshot.list("review"):
        # one that cannot be read is left to the review
        with suppress(ReelError):
            one = parse_proposal(snapshot.text(path) or "", path)
            if known.intersection((one.session, one.memory, *(side.where for side in one.sides))):
                yield path


def plan_move(opened: "OpenKit", sessions: Sequence[str], known: KnownOfChats, chat: str) -> Sequence[Change]:
    """Return the changes that take these chats, and what is known of them, out of a kit.

    Raises StateError where a file that they write was edited by hand: the copy is of what was committed, and
    would never get that edit.
    """
    from reel_cli.core.kit.hand_edits import list_uncommitted
    from reel_cli.features.record.plan import plan_event

    planned, repository = opened.snapshot, opened.require_repository()
    changes = []
    for session in sessions:
        change = plan_event(planned, "retract", f"{KEPT_APART}{chat}", session, opened.now())
        changes.append(change)
        planned = planned.after(change)
    if known.memories or known.examples or known.proposals:
        changes.append(_plan_gone(planned, repository, sessions, known, chat))
    edited = list_uncommitted(repository).keys() & {path for change in changes for path in change.writes}
    if edited:
        message = f"{min(edited)} was edited by hand, and that edit is not committed yet."
        raise StateError(message, hint="decide on it first:  reel review")
    return changes


def leave_to(opened: "OpenKit", folder: Path, sessions: Sequence[str], changes: Sequence[Change]) -> None:
    """Have these chats count in the kit of a chat kept apart alone; it has them, as it was copied before.

    A signal waits until both kits agree.
    """
    from reel_cli.core.change.transaction import unbroken
    from reel_cli.features.record.plan import plan_event
    from reel_cli.terminal.open_kit import OpenKit

    with unbroken():
        opened.commit_all(changes)
        _pass_over(opened, folder)
        there = OpenKit(context=opened.context, root=folder, repository=find_repository(folder))
        for session in sessions:
            there.commit_all([plan_event(there.snapshot, "reinstate", "", session, opened.now())])


def _plan_gone(
    snapshot: Snapshot, repository: Repository, sessions: Sequence[str], known: KnownOfChats, chat: str
) -> Change:
    """Return the change that takes memories, their lines and proposals out, and has examples rest."""
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.forgetting.plan import take_out
    from reel_cli.features.memory.exemplars import plan_rest

    counter = get_tokenizer(snapshot.settings.tokenizer)
    writes, trailers = take_out(snapshot, repository, counter, known.memories, f"kept apart as {chat}")
    writes.update(dict.fromkeys(known.proposals))
    planned = snapshot
    for slug in known.examples:
        rest = plan_rest(planned, slug)
        if rest is not None:
            planned = planned.after(rest)
            writes.update(rest.writes)
    what = f"what is known of {', '.join(sessions)} is known in {chat} alone"
    return Change("apart", what, writes, tuple(trailers))


def _pass_over(opened: "OpenKit", folder: Path) -> None:
    """Mark the home's last commit as taken in by a chat's kit, without taking in what it did."""
    from reel_cli.core.git.identity import author_identity
    from reel_cli.features.apart.begin import SEEN, fetch_home

    copy, home = find_repository(folder), opened.require_repository()
    head = home.head()
    if copy is None or head is None:
        return
    fetch_home(opened.root.resolve(), copy)
    name, mail = author_identity(home, opened.snapshot.settings.author)
    git = Git(copy.root)
    told = "apart: took over what counts here alone\n\nReel-Op: apart\n"
    named = {"NAME": name, "EMAIL": mail}
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in named.items()}
    made = git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-p", head, "-m", told, env=who)
    git("update-ref", "HEAD", made.decode("ascii").strip())
    git("update-ref", SEEN, head)
