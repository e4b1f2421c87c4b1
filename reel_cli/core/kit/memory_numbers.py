"""The memory numbers that a kit and its history have used, so that none is given twice."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from reel_cli import __version__
from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, plain_trailers
from reel_cli.core.git.commit_tree import (
    FILE,
    FOLDER,
    CommitTree,
    NotLooseError,
    is_before,
    list_names,
    list_top,
    read_young_history,
    steps_since,
)
from reel_cli.core.git.history import commit_name
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.values.memory import memory_number
from reel_cli.core.values.source import RENUMBERED

MEMORY_NUMBER = re.compile(r"(?:M-\d{1,9} to )?M-(\d{1,9})\b")
MEMORY_FILE = re.compile(rb"(?:.*/)?M-(\d{1,9})\.md", re.DOTALL)
INDEX_NUMBER = re.compile(rb"(?m)^[ \t*-]*M-(\d{1,9})\b")
NUMBERS = "memory numbers"
"""The note on how high history's numbers go, and up to which commit that is known."""
NUMBERED = ("Reel-Memory", "Reel-Index")


def highest_known(snapshot: Snapshot) -> int:
    """Return the highest memory number in the kit's files; the journal also knows deleted ones."""
    numbers = [memory_number(name) for name in (*snapshot.memories, *snapshot.index.lines)]
    numbers += [memory_number(raw.strip(" -*")) for _, raw in snapshot.index.broken]
    for path in snapshot.list("journal"):
        numbers += map(int, re.findall(rb"\bM-(\d{3,9})\b", snapshot.read(path) or b""))
    return max(numbers, default=0)


def used_memory_numbers(repo: Repository, *sides: str) -> int:
    """Return the highest number a memory ever had in this history (M-014 is 14); 0 if there was none.

    Trailers tell, the files that ring 3 ever had, and the index wherever lines came into it without a
    trailer: with a template, or by hand. With `sides` (full ids), in theirs as well. What was
    looked at once is kept with its commit, and only later commits are read.
    """
    head = repo.head()
    if head is None:
        return 0
    tips = [head, *(commit_name(side) for side in sides)]
    kit = repo.root / repo.prefix
    name = f"numbers {__version__} {repo.prefix}"
    kept, _ = recall_note(kit, NUMBERS, name)
    since, highest = _parse_mark(kept)
    if since not in (None, head) and not is_before(repo, since, head):
        since, highest = None, 0
    for tip in tips:
        highest = max(highest, _numbers_in(repo, tip if since is None else f"{since}..{tip}"))
    if not sides and since != head:
        keep_note(kit, NUMBERS, name, f"{head} {highest}")
    return highest


def _parse_mark(kept: str | None) -> tuple[str | None, int]:
    commit, _, number = (kept or "").partition(" ")
    return (commit, int(number)) if is_commit_id(commit) and number.isdigit() else (None, 0)


def _numbers_in(repo: Repository, commits: str) -> int:
    """Return the highest memory number that these commits added (a commit's full id, or a range)."""
    since, _, tip = commits.partition("..")
    if since == tip:
        return 0
    with suppress(NotLooseError):
        return _numbers_in_loose(repo, since if tip else "", tip or since)
    keys = ",".join(f"key={key}" for key in (*NUMBERED, FORGOT, RENUMBERED))
    told = (f"%(trailers:{keys},valueonly,unfold)", f"%(trailers:{keys},keyonly,separator=%x20)")
    listed = Git(repo.root)(
        *("log", "-z", "--raw", "--no-abbrev", "--no-renames", f"--format=%x01{'%x02'.join(told)}"),
        *(commits, "--", *([repo.prefix] if repo.prefix else [])),
    )
    ring3, index = os.fsencode(f"{repo.prefix}ring3/"), os.fsencode(repo.prefix + INDEX)
    numbers: list[int] = []
    unmarked: dict[str, None] = {}
    keyed = b""
    parts = iter(listed.split(b"\0"))
    for raw in parts:
        part = raw.lstrip(b"\n")
        if part.startswith(b"\x01"):
            values, _, keyed = part[1:].rpartition(b"\x02")
            lines = values.decode("utf-8", "replace").splitlines()
            numbers += [int(found[1]) for line in lines if (found := MEMORY_NUMBER.match(line))]
        elif part.startswith(b":"):
            _, _, _, blob, kind = part.split(b" ")
            name = next(parts)
            if (
                kind == b"A"
                and name.startswith(ring3)
                and (file := MEMORY_FILE.fullmatch(name[len(ring3) :]))
            ):
                numbers.append(int(file[1]))
            elif name == index and kind in (b"A", b"M") and not keyed.strip():
                unmarked[blob.decode("ascii")] = None
    return max([0, *numbers, _highest_line(repo, commits.rpartition("..")[2], unmarked)])


def _numbers_in_loose(repo: Repository, since: str, tip: str) -> int:
    """Return the same for a few commits in a row, without git; raises NotLooseError where that cannot be."""
    if repo.prefix:
        # of an enclosing repository only the commits that touch the kit count
        raise NotLooseError
    found: Sequence[tuple[str, bytes]] | None = None
    if not since:
        found = read_young_history(repo, tip)
    elif (steps := steps_since(repo, since, tip)) is not None:
        found = [(step.commit, step.message) for step in reversed(steps)]
    if found is None:
        raise NotLooseError
    told = {key.lower() for key in (*NUMBERED, FORGOT, RENUMBERED)}
    numbers: list[int] = []
    unmarked: dict[str, None] = {}
    held = _find_index(repo, since) if since else None
    for commit, message in found:
        trailers = plain_trailers(message.decode("utf-8", "replace"))
        if trailers is None:
            raise NotLooseError
        own = [value for key, value in trailers if key in told]
        numbers += [int(number[1]) for value in own if (number := MEMORY_NUMBER.match(value))]
        ring3 = list_top(repo, commit, "").get(b"ring3", (b"", ""))
        if ring3[0] == FOLDER:
            names = map(MEMORY_FILE.fullmatch, list_names(repo, ring3[1]))
            numbers += [int(name[1]) for name in names if name]
        index = _find_index(repo, commit)
        if index is not None and index != held and not own:
            unmarked[index] = None
        held = index
    return max([0, *numbers, _highest_line(repo, tip, unmarked)])


def _find_index(repo: Repository, commit: str) -> str | None:
    """Return the blob of the index at a commit; None where it has none. Raises NotLooseError."""
    folder, _, name = INDEX.rpartition("/")
    mode, blob = list_top(repo, commit, folder).get(os.fsencode(name), (FILE, ""))
    if not mode.startswith(FILE):
        raise NotLooseError
    return blob or None


def _highest_line(repo: Repository, tip: str, blobs: Iterable[str]) -> int:
    """Return the highest number of a line in these texts of the index; 0 where there is none."""
    highest = 0
    with CommitTree(repo, tip) as tree:
        for blob in blobs:
            with suppress(ReelError):
                lines = INDEX_NUMBER.findall(tree.read_blob(blob, INDEX))
                highest = max([highest, *map(int, lines)])
    return highest
