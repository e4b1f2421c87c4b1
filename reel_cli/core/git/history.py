"""What history tells: the log, the numbers used, what of ring 0 is in force, and how to go back a step."""

import functools
import os
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli import __version__
from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.commit_message import GONE, OP, RATIFIED, RATIFIED_BY, UNDOES, parse_trailers
from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.files.loss_trailer import FORGOT
from reel_cli.core.files.private import write_private
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.git_folder import check_for_git
from reel_cli.core.git.identity import author_identity
from reel_cli.core.git.joined_names import names_since
from reel_cli.core.git.process import CONFIG, ENVIRONMENT, Git, git_problem, git_process, start_problem
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.git.storage.loose import NotLooseError, list_files
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.renumbering import JOINED, RENUMBERED, Renumbering
from reel_cli.core.values.talk import SESSION_ID

if TYPE_CHECKING:
    from git import Repo

LOG_FIELDS = ("%H", "%aI", "%an", "%s", "%b", "%(trailers)", "%(trailers:only,unfold)")
SESSION_FILE = re.compile(rf"tape/\d{{4}}/{SESSION_ID.pattern}\.md")
MEMORY_NUMBER = re.compile(r"(?:M-\d{1,9} to )?M-(\d{1,9})\b")
MEMORY_FILE = re.compile(r"M-(\d{1,9})\.md")
INDEX_NUMBER = re.compile(rb"(?m)^[ \t*-]*M-(\d{1,9})\b")
NUMBERS = "memory numbers"
"""The note on how high history's numbers go, and up to which commit that is known."""
NUMBERED = ("Reel-Memory", "Reel-Index")
RING_0 = "ring0/"
GROWING = ("tape/", "journal/")
DECISIONS = ("pin", "unpin")
"""The journal's acts that are a change of their own, and not something that just happened."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit of a kit's history; `time` is ISO 8601 with an offset, `op` None if reel did not make it.

    Everything is as it may be shown: control characters are gone, `body` keeps its line breaks.
    """

    id: str
    time: str
    author: str
    subject: str
    op: str | None
    trailers: Sequence[tuple[str, str]]
    body: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    """What it named and is called otherwise since its side was joined to another machine's; subject and
    trailers have the new names already."""

    def values(self, key: str) -> list[str]:
        """The values of one trailer, in order."""
        return [value for name, value in self.trailers if name == key]


def read_log(
    repo: Repository,
    *,
    limit: int | None = None,
    paths: Iterable[str] | None = None,
    tip: str | None = None,
    after: str | None = None,
) -> list[Commit]:
    """The commits that touch the kit (or only these paths of it), newest first, at most `limit`.

    `tip` is the commit to begin at, by its full id (None: the one that is checked out), `after` one whose
    own history is left out. Raises StateError when git cannot read its history.
    """
    if repo.head() is None:
        return []
    wanted = [repo.prefix + path for path in paths] if paths is not None else [repo.prefix]
    arguments = [
        *("-z", f"--format={'%x00'.join(LOG_FIELDS)}"),
        *([f"--max-count={limit}"] if limit is not None else []),
        *(_tip(tip), *([f"^{_tip(after)}"] if after else []), "--", *(path for path in wanted if path)),
    ]
    listed = _log_with_gitpython(repo, arguments)
    parts = listed.split("\0")
    width = len(LOG_FIELDS)
    found = [_parse_commit(parts[at : at + width]) for at in range(0, len(parts) - width + 1, width)]
    # a commit comes after the one that joined its side, unless only some paths are asked for
    if paths is None and not any(commit.values(JOINED) for commit in found):
        return found
    names = names_since(repo, _tip(tip))
    return [_rename(commit, names[commit.id]) if commit.id in names else commit for commit in found]


def _rename(commit: Commit, names: Mapping[str, str]) -> Commit:
    told = Renumbering(names).text
    trailers = tuple((key, told(value)) for key, value in commit.trailers)
    return replace(commit, subject=told(commit.subject), trailers=trailers, renamed=names)


def _tip(commit: str | None) -> str:
    """A commit as git is given it; ReelError for what is no full id."""
    if commit is None:
        return "HEAD"
    if not is_commit_id(commit):
        message = f"{commit!r} is not a commit's full id."
        raise ReelError(message)
    return commit


def _log_with_gitpython(repo: Repository, arguments: Sequence[str]) -> str:
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")
    try:
        from git import Repo
        from git.exc import GitCommandError, GitCommandNotFound, GitError
    except ImportError as error:
        # macOS without its developer tools has a git that only says so
        message = "git is installed and does not run."
        raise StateError(message, hint="see what  git --version  says") from error

    try:
        check_for_git(repo.root)
        with Repo(repo.root, expand_vars=False) as opened:
            return _run_log(opened, repo, arguments)
    except GitCommandNotFound:
        raise start_problem(FileNotFoundError(), repo.root) from None
    except GitCommandError as error:
        raise git_problem(str(error.stderr), "log", repo.root) from None
    except GitError as error:
        message = f"{repo.root} is not a repository that can be read: {one_line(str(error), 120)}."
        raise StateError(message, hint="see what  git status  says there") from None


def _run_log(opened: "Repo", repo: Repository, arguments: Sequence[str]) -> str:
    git = opened.git(c=[f"{key}={value}" for key, value in CONFIG.items()], no_pager=True)
    # the place is given outright only where the environment would lead git elsewhere
    places = {
        "GIT_DIR": str(repo.git_dir),
        "GIT_COMMON_DIR": str(repo.common_dir),
        "GIT_WORK_TREE": str(repo.root),
        "GIT_OBJECT_DIRECTORY": str(repo.common_dir / "objects"),
        "GIT_GLOB_PATHSPECS": "0",
        "GIT_NOGLOB_PATHSPECS": "0",
        "GIT_ICASE_PATHSPECS": "0",
    }
    astray = {key: value for key, value in places.items() if key in os.environ}
    output = git.log(
        *arguments,
        env={**ENVIRONMENT, **astray},
        stdout_as_string=False,
        strip_newline_in_stdout=False,
    )
    return bytes(output).decode("utf-8", "replace")


def _parse_commit(fields: Sequence[str]) -> Commit:
    commit, time, author, subject, body, block, trailers = fields
    pairs = tuple((one_line(key), one_line(value)) for key, value in parse_trailers(trailers))
    return Commit(
        id=commit,
        time=time,
        author=one_line(author),
        subject=one_line(subject),
        op=next((value for key, value in pairs if key == OP), None),
        trailers=pairs,
        body=_plain(body.rstrip().removesuffix(block.rstrip()) if block.strip() else body),
    )


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text).strip("\n ")


def used_memory_numbers(repo: Repository, *sides: str) -> int:
    """Return the highest number a memory ever had in this history (M-014 is 14); 0 if there was none.

    Trailers tell, the files that ring 3 ever had, and the index wherever lines came into it without a
    trailer: with a template, or by hand. With `sides` (full ids), in theirs as well. What was
    looked at once is kept with its commit, and only later commits are read.
    """
    head = repo.head()
    if head is None:
        return 0
    tips = [head, *(_tip(side) for side in sides)]
    kit = repo.root / repo.prefix
    name = f"numbers {__version__} {repo.prefix}"
    kept, _ = recall_note(kit, NUMBERS, name)
    since, highest = _parse_mark(kept)
    if since is not None and not _is_ancestor(repo, since, head):
        since, highest = None, 0
    for tip in tips:
        highest = max(highest, _numbers_in(repo, tip if since is None else f"{since}..{tip}"))
    if not sides and since != head:
        keep_note(kit, NUMBERS, name, f"{head} {highest}")
    return highest


def _parse_mark(kept: str | None) -> tuple[str | None, int]:
    commit, _, number = (kept or "").partition(" ")
    return (commit, int(number)) if is_commit_id(commit) and number.isdigit() else (None, 0)


def _is_ancestor(repo: Repository, old: str, new: str) -> bool:
    if old == new:
        return True
    return git_process(repo.root, "merge-base", "--is-ancestor", old, new).returncode == 0


def _numbers_in(repo: Repository, commits: str) -> int:
    """The highest memory number that these commits brought (a commit's full id, or a range of two)."""
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
    """The highest number of an index line that came in with a commit whose trailers name none."""
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


def ratified_commit(repo: Repository, tip: str | None = None) -> str | None:
    """The commit whose ring 0 is in force; None while ring 0 still is a draft.

    That is the newest commit that ratified ring 0, or the first in which a session stands on
    the tape, whichever came later. A commit by hand ratifies nothing. `tip` asks for what was in force at a
    commit, by its full id (None: the one that is checked out).
    """
    head = tip or repo.head()
    return _ratified_commit(repo, _tip(head)) if head is not None else None


@functools.lru_cache(maxsize=32)
def _ratified_commit(repo: Repository, head: str) -> str | None:
    """The same for a commit by its id, whose past stays what it is: looked up once."""
    git = Git(repo.root)
    ratified = _newest_ratification(repo, git, head)
    if ratified is not None and _holds_session(repo, git, ratified):
        return ratified
    # a ratification before the first session binds nothing yet: ring 0 is a draft until then
    return _first_session(repo, git, ratified, head)


@functools.lru_cache(maxsize=8)
def first_session_commit(repo: Repository, tip: str) -> str | None:
    """The first commit, up to `tip` (a full id), that brought a session onto the tape."""
    return _first_session(repo, Git(repo.root), None, _tip(tip))


def _newest_ratification(repo: Repository, git: Git, head: str) -> str | None:
    """The newest commit with the trailer that changes ring 0, or names a text of it to put in force."""
    only = ("log", f"--grep=^{RATIFIED_BY}: ", "-z")
    by, named = (f"%(trailers:key={key},valueonly,unfold)" for key in (RATIFIED_BY, RATIFIED))
    listed = git(*only, f"--format=%H%x00{by}%x00{named}", head, "--").decode("utf-8", "replace")
    if not listed:
        return None
    touching = set(git(*only, "--format=%H", head, "--", repo.prefix + RING_0).decode().split("\0"))
    parts = listed.split("\0")
    for commit, signed, texts in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        if signed.strip() and (commit in touching or _puts_in_force(repo, commit, texts)):
            return commit
    return None


def _puts_in_force(repo: Repository, commit: str, texts: str) -> bool:
    """Whether one of the texts named (`ring0/identity.md <blob>`) is this kit's at that commit."""
    named = [line.rpartition(" ") for line in texts.splitlines() if line.startswith(RING_0)]
    if not named:
        return False
    held = CommitTree(repo, commit).ids
    return any(held.get(path, GONE) == blob for path, _, blob in named)


def _holds_session(repo: Repository, git: Git, commit: str) -> bool:
    tape = repo.prefix + "tape/"
    with suppress(NotLooseError):
        loose = list_files(repo, commit, tape)
        return any(SESSION_FILE.fullmatch(path[len(repo.prefix) :]) for path in loose)
    listed = git("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", tape)
    names = (os.fsdecode(name)[len(repo.prefix) :] for name in listed.split(b"\0"))
    return any(SESSION_FILE.fullmatch(name) for name in names)


def _first_session(repo: Repository, git: Git, after: str | None, head: str) -> str | None:
    """The first commit, after the given one, that brought a session onto the tape."""
    listed = git(
        *("log", "--reverse", "--format==%H", "--name-only", "--no-renames", "--diff-filter=A"),
        *([f"--relative={repo.prefix}"] if repo.prefix else []),
        *(f"{after}..{head}" if after else head, "--", f"{repo.prefix}tape/"),
    )
    commit = None
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("="):
            commit = line[1:]
        elif SESSION_FILE.fullmatch(line):
            return commit
    return None


# -- taking back ------------------------------------------------------------------------------


def plan_undo(repo: Repository, snapshot: Snapshot) -> Change:
    """The change that takes back reel's last one; asked again, the one before it.

    Later changes elsewhere in the same files stay. What stands on the tape stays, and so does the
    attention noted in the journal. It can be applied only while nothing else is committed. Raises
    ReelError where there is nothing to take back, or where a later change stands in the same place.
    """
    tip = repo.head()
    log = read_log(repo, tip=tip)
    undone = {sha for commit in log for sha in commit.values(UNDOES)}
    noted = False
    for commit in log:
        # what a person noted on the tape (a mark, a recording taken back) stays, and stands in no one's way
        if commit.op in (None, "edit", "undo", "tape", "merge") or commit.id in undone:
            noted = noted or commit.op == "tape"
            continue
        if commit.op == "init":
            break
        if commit.op == "purge":
            message = "The last change was a purge, and nothing brings back what was purged."
            raise ReelError(message, hint="git revert  takes back one before it; reel log --json  names them")
        change = _take_back(repo, snapshot, commit, noted=noted)
        if change is not None:
            return replace(change, tip=tip)
    message = "There is nothing left to undo."
    raise ReelError(message, hint="reel log  shows what was done; the kit's making itself stays")


def _take_back(repo: Repository, snapshot: Snapshot, commit: Commit, *, noted: bool) -> Change | None:
    """The change that takes one commit back; None where that has come about already.

    `noted`: something was noted on the tape since, which is not taken back.
    """
    changed = changed_files(repo, commit.id)
    _refuse_sessions(changed, noted=noted)
    writes: dict[str, bytes | None] = {}
    with CommitTree(repo, commit.id) as history:
        for path, (before, after) in changed.items():
            if path.startswith("tape/"):
                continue
            now = snapshot.read(path)
            was, became = (
                None if blob is None else history.read_blob(blob, path) for blob in (before, after)
            )
            wanted = _reverted(path, now, was, became)
            if wanted != now:
                writes[path] = wanted
    if not writes:
        if all(path.startswith(GROWING) for path in changed):
            message = f"The last change ({commit.subject}) only noted something, and what is noted stays."
            raise ReelError(message, hint="reel log  shows it; note the opposite if it was wrong")
        return None
    trailers = [(UNDOES, commit.id)]
    if any(_needs_a_name(path, snapshot) for path in writes):
        name, mail = author_identity(repo, snapshot.settings.author)
        trailers.append((RATIFIED_BY, f"{name} <{mail}>"))
    return Change("undo", _name_of(commit), writes, tuple(trailers))


def _name_of(commit: Commit) -> str:
    """A commit by its operation and the first ID it names: an old one's subject may hold what was said."""
    keys = ("Reel-Session", "Reel-Memory", "Reel-Index", FORGOT)
    named = [value.split(" ")[0] for key in keys for value in commit.values(key)]
    found = next((name for name in named if MEMORY_ID.fullmatch(name) or SESSION_ID.fullmatch(name)), "")
    return f"{commit.op}: {found}" if found else commit.op or ""


def _refuse_sessions(changed: Iterable[str], *, noted: bool) -> None:
    """The tape only grows: refuse to take a session from it; ReelError with the way that there is."""
    sessions = [path for path in changed if SESSION_FILE.fullmatch(path)]
    if sessions:
        session = sessions[0].rpartition("/")[2].removesuffix(".md")
        if noted:
            message = f"What is noted on the tape stays, and before it a session was recorded ({session})."
            raise ReelError(message, hint="a note that was wrong is put right by another:  reel tape correct")
        message = f"The last change recorded a session ({session}), and the tape only grows."
        raise ReelError(message, hint=f"take a wrong recording back with  reel tape retract {session}")


def _needs_a_name(path: str, snapshot: Snapshot) -> bool:
    """Whether a write changes ring 0, or takes or edits something in the ring 1 pool."""
    taken_from_pool = path.startswith("ring1/") and path.endswith(".md") and snapshot.read(path) is not None
    return taken_from_pool or path.startswith(RING_0)


def changed_files(repo: Repository, commit: str) -> dict[str, tuple[str | None, str | None]]:
    """The kit's files a commit changed: blob before and after, None where there was no file."""
    listed = Git(repo.root)(
        *("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", f"{commit}^1", commit, "--"),
        *([repo.prefix] if repo.prefix else []),
    )
    parts = listed.split(b"\0")
    found: dict[str, tuple[str | None, str | None]] = {}
    for head, name in zip(parts[::2], parts[1::2], strict=False):
        _, _, before, after, _ = head.decode("ascii").split()
        found[os.fsdecode(name)[len(repo.prefix) :]] = (_or_none(before), _or_none(after))
    return found


def _or_none(blob: str) -> str | None:
    return blob if blob.strip("0") else None


def _reverted(path: str, now: bytes | None, was: bytes | None, became: bytes | None) -> bytes | None:
    """The file as it is now, less what turned `was` into `became`; ReelError where that is not clear."""
    if path.startswith("journal/"):
        return _without_own_lines(now, was, became)
    if now in (was, became):
        return was
    merged = None
    if not path.startswith(RING_0) and now is not None and was is not None and became is not None:
        merged = merge_texts(now, became, was)
    if merged is None:
        message = f"{path} was changed again since, in the same place; nothing was undone."
        raise ReelError(message, hint="mend it by hand, or undo what came later first")
    return merged


def _without_own_lines(now: bytes | None, was: bytes | None, became: bytes | None) -> bytes | None:
    """The journal without the pins of one change; what was recalled, packed or touched, was."""
    if now is None or became is None:
        return now
    before = set((was or b"").splitlines())
    own = {line for line in became.splitlines() if line not in before and _is_a_decision(line)}
    return b"".join(line for line in now.splitlines(keepends=True) if line.rstrip(b"\r\n") not in own)


def _is_a_decision(line: bytes) -> bool:
    entry = parse_entry(line.decode("utf-8", "replace"))
    return entry is not None and entry.do in DECISIONS


def merge_texts(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Merge two texts that came from one; None where both changed the same place."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            write_private(Path(folder) / name, data)
        done = git_process(Path(folder), "merge-file", "-p", "-q", *names)
    return done.stdout if done.returncode == 0 else None
