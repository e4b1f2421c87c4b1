"""Additions and losses by session, from the trailers of history in one reading."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from reel_cli.core.files.commit_message import OP, UNDOES
from reel_cli.core.files.loss_trailer import FORGOT, parse_forgotten
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.rings.losses import OFF_SHELF, PAGE_OF_FILE, SHELF_FOLDER
from reel_cli.features.status.breath_policy import Acts

_KEYS = (OP, "Reel-Session", "Reel-Memory", FORGOT, UNDOES)
_PAGES = ("checkpoint", "consolidate")


def read_acts(repo: Repository, tip: str | None = None) -> Mapping[str, Acts]:
    """Return what was done in each session and up to the next, by session; "" is before the first.

    `tip` is a commit's full id, None for what is checked out. What was taken back does not count; nothing
    where history cannot be read.
    """
    head = tip if tip is not None else repo.head()
    if head is None or not is_commit_id(head):
        return {}
    fields = ("%H", *(f"%(trailers:key={key},valueonly,unfold)" for key in _KEYS))
    places = ("--", repo.prefix) if repo.prefix else ("--",)
    listed = git_process(
        repo.root, "log", "--reverse", "-z", f"--format={'%x00'.join(fields)}", head, *places
    )
    if listed.returncode:
        return {}
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    width = len(fields)
    rows = [parts[at : at + width] for at in range(0, len(parts) - width + 1, width)]
    undone = {commit for row in rows for commit in row[-1].split()}
    shelved = _shelved(repo, head)
    found: dict[str, Acts] = {}
    current = ""
    for commit, op, session, memory, forgot, _ in rows:
        kind = op.strip()
        if kind == "record" and session.split():
            current = max(current, max(session.split(), key=_order), key=_order)
        if commit in undone or not kind or kind == "undo":
            continue
        acts = _acts(kind, memory.split("\n"), forgot.split("\n"), shelved.get(commit, 0))
        if acts != Acts():
            mine = session.split()
            name = mine[0] if len(mine) == 1 and kind in (*_PAGES, "keep") else current
            found[name] = found.get(name, Acts()).plus(acts)
    return found


def _order(session: str) -> tuple[str, int]:
    number = session[11:]
    return session[:10], int(number) if number.isascii() and number.isdigit() else 0


def _acts(kind: str, memory: list[str], forgot: list[str], shelved: int) -> Acts:
    losses = [loss for line in forgot if line.strip() and (loss := parse_forgotten(line)) is not None]
    off = sum(loss.after == OFF_SHELF or loss.id.startswith(SHELF_FOLDER) for loss in losses)
    made = sum(bool(line.strip()) for line in memory) if kind in (*_PAGES, "tape", "promote", "dream") else 0
    return Acts(
        memories=made,
        shelved=shelved,
        keeps=kind == "keep",
        pages=kind in _PAGES,
        passes=kind == "maintain",
        forgotten=len(losses) - off,
        dropped=off,
        summaries=kind == "summarize",
        freed=sum(max(0, loss.tokens_before - loss.tokens_after) for loss in losses),
    )


def _shelved(repo: Repository, head: str) -> Mapping[str, int]:
    """Return how many files each commit put on the shelf."""
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{OP}: shelf$", "-z", "--format=%x00%H", "--name-only", "--diff-filter=A"),
        *("--no-renames", head, "--", f"{repo.prefix}{SHELF_FOLDER}"),
    )
    if listed.returncode:
        return {}
    found: dict[str, set[str]] = {}
    commit = ""
    for part in listed.stdout.decode("utf-8", "replace").split("\0"):
        name = part.strip("\n")
        if is_commit_id(name):
            commit = name
        elif name and commit:
            path = name.removeprefix(repo.prefix)
            found.setdefault(commit, set()).add(path.removesuffix(PAGE_OF_FILE))
    return {commit: len(paths) for commit, paths in found.items()}


def store_acts(acts: Mapping[str, Acts]) -> dict[str, Any]:
    """Return the acts as plain JSON, without zeros."""
    return {name: {key: value for key, value in asdict(one).items() if value} for name, one in acts.items()}


def load_acts(stored: Mapping[str, Mapping[str, int]]) -> Mapping[str, Acts]:
    """Return the acts from plain JSON."""
    return {name: Acts(**one) for name, one in stored.items()}
