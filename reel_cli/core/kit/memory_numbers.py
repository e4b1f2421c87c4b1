"""The memory numbers that a kit and its history have used, so that none is given twice."""

import re
from contextlib import suppress

from reel_cli import __version__
from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import commit_name
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.git.revisions import is_before
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.values.memory import memory_number
from reel_cli.core.values.source import RENUMBERED

MEMORY_NUMBER = re.compile(r"(?:M-\d{1,9} to )?M-(\d{1,9})\b")
MEMORY_FILE = re.compile(r"M-(\d{1,9})\.md")
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
    git = Git(repo.root)
    keys = ",".join(f"key={key}" for key in (*NUMBERED, FORGOT, RENUMBERED))
    listed = git(
        *("log", f"--format=%(trailers:{keys},valueonly,unfold)"),
        *(commits, "--", *([repo.prefix] if repo.prefix else [])),
    )
    found = [MEMORY_NUMBER.match(line) for line in listed.decode("utf-8", "replace").splitlines()]
    added = git(
        *("log", "--name-only", "-z", "--no-renames", "--diff-filter=A", "--format="),
        *(commits, "--", f"{repo.prefix}ring3"),
    )
    names = (part.strip().rpartition("/")[2] for part in added.decode("utf-8", "replace").split("\0"))
    found += [MEMORY_FILE.fullmatch(name) for name in names]
    numbers = [int(match[1]) for match in found if match]
    return max([*numbers, _unmarked_lines(repo, git, commits)])


def _unmarked_lines(repo: Repository, git: Git, commits: str) -> int:
    """Return the highest number of an index line added by a commit whose trailers name none."""
    keys = ",".join(f"key={key}" for key in (*NUMBERED, FORGOT, RENUMBERED))
    listed = git(
        *("log", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM"),
        *(f"--format==%(trailers:{keys},keyonly,separator=%x20)", commits, "--", repo.prefix + INDEX),
    )
    blobs: list[str] = []
    told = ""
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("="):
            told = line[1:].strip()
        elif not told and (change := re.match(r":\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AM]\t", line)):
            blobs.append(change[1])
    highest = 0
    tip = commits.rpartition("..")[2]
    with CommitTree(repo, tip) as tree:
        for blob in dict.fromkeys(blobs):
            with suppress(ReelError):
                lines = INDEX_NUMBER.findall(tree.read_blob(blob, INDEX))
                highest = max([highest, *map(int, lines)])
    return highest
