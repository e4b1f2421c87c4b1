"""Recorded chats moved into a chat kept apart: they stay there, and count here no more."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.files.index_edit import drop_line
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import where_of

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def list_moved(snapshot: Snapshot, sessions: Sequence[str]) -> Sequence[str]:
    """Return the memories and index lines that know of these chats, by ID; also those that know of more."""
    wanted = set(sessions)
    made = [
        one.id
        for one in snapshot.memories.values()
        if wanted.intersection(one.sessions) or any(span.session in wanted for span in where_of(one))
    ]
    lines = [
        line.id
        for line in snapshot.index.lines.values()
        if line.where is not None and line.where.session in wanted
    ]
    return list(dict.fromkeys([*made, *lines]))


def leave_to(opened: "OpenKit", folder: Path, sessions: Sequence[str], chat: str) -> None:
    """Have these chats count in the kit of a chat kept apart alone; it has them, as it was copied before.

    A signal waits until both kits agree.
    """
    from reel_cli.core.change.transaction import unbroken
    from reel_cli.features.record.plan import plan_event
    from reel_cli.terminal.open_kit import OpenKit

    planned, changes = opened.snapshot, []
    for session in sessions:
        change = plan_event(planned, "retract", f"kept apart as {chat}", session, opened.now())
        changes.append(change)
        planned = planned.after(change)
    gone = _plan_gone(planned, opened.require_repository(), list_moved(planned, sessions), chat)
    with unbroken():
        opened.commit_all([*changes, *([gone] if gone is not None else [])])
        _pass_over(opened, folder)
        there = OpenKit(context=opened.context, root=folder, repository=find_repository(folder))
        for session in sessions:
            there.commit_all([plan_event(there.snapshot, "reinstate", "", session, opened.now())])


def _plan_gone(snapshot: Snapshot, repository: Repository, names: Sequence[str], chat: str) -> Change | None:
    """Return the change that takes memories and their lines out of the kit; None for no memories."""
    from reel_cli.core.tokens.counter import get_tokenizer

    if not names:
        return None
    counter = get_tokenizer(snapshot.settings.tokenizer)
    index = snapshot.text(INDEX) or ""
    why = f"kept apart as {chat}"
    writes: dict[str, bytes | None] = {}
    trailers: list[tuple[str, str]] = []
    for name in names:
        memory, path = snapshot.memories.get(name), memory_path(name)
        if memory is not None:
            blob = repository.blob_id(snapshot.read(path) or b"")
            tokens = counter.count(memory.body)
            loss = Forgotten(name, memory.level.value, "dormant", tokens, 0, "", blob, why)
            writes[path] = None
        else:
            loss = Forgotten(name, "stub", "dormant", 0, 0, "", repository.blob_id(index.encode()), why)
        trailers.append((FORGOT, render_forgotten(loss)))
        index = drop_line(index, name)
    trailers.append(("Reel-Tokenizer", counter.name))
    writes[INDEX] = index.encode()
    return Change("apart", f"no longer know {', '.join(names)}, {why}", writes, tuple(trailers))


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
