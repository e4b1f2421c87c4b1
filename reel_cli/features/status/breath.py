"""Breathing of a kit: gathered from the tape, history's trailers and advice; nothing is stored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from reel_cli.core.files.commit_message import FORGOT, OP, UNDOES, list_undone, parse_forgotten
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import SESSION_FILE
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.rings.losses import OFF_SHELF, PAGE_OF_FILE, SHELF_FOLDER
from reel_cli.core.tape.rhythm import minutes_since_page
from reel_cli.core.tape.session_size import SessionSize, StartBundle, size_sessions
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.features.page.kept_pages import checkpoint_counts, new_messages
from reel_cli.features.status.breath_policy import Acts, Breath, NewestSession, Next, list_next

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.fullness import Fullness
    from reel_cli.core.values.holdings import Counter

_KEYS = (OP, "Reel-Session", "Reel-Memory", FORGOT, UNDOES)
_NO_START = StartBundle()
_PAGES = ("checkpoint", "consolidate")


@dataclass(frozen=True, slots=True)
class BreathRecord:
    """The breathing of a kit: `breaths` are the sessions, oldest first; `before` is what preceded them."""

    name: str
    cap: int
    breaths: Sequence[Breath]
    before: Acts
    following: Sequence[Next]
    held_to: str = "window"


def read_breathing(  # noqa: PLR0913 (the kit, its history, and what goes on)
    snapshot: "Snapshot",
    acts: Mapping[str, Acts],
    counter: "Counter",
    *,
    live: "Fullness | None" = None,
    start: StartBundle = _NO_START,
    then: bool = False,
    advance: Callable[[float], None] = lambda _: None,
) -> BreathRecord:
    """Return how the kit breathed; `acts` are from history by session, `live` is the chat under way.

    `start` is the bundle that the newest session began from, where it does not stand in it.
    Of a moment of the past (`then`) nothing is due. `advance` is told of each session that has to be counted.
    """
    settings = snapshot.settings
    sessions = standing_sessions(snapshot)
    came = dict(size_sessions(snapshot, sessions, counter, advance))
    for newest in sessions[-1:]:
        came[newest] = start.with_size(came[newest], counter)
    breaths = [Breath(name, came[name], acts.get(name, Acts()), name) for name in sessions]
    cap = min(settings.cap, settings.window)
    following = [] if then else list_next(_standing(snapshot, breaths, cap, live))
    return BreathRecord(settings.name, cap, breaths, acts.get("", Acts()), following, settings.held_to)


def _standing(
    snapshot: "Snapshot", breaths: Sequence[Breath], cap: int, live: "Fullness | None"
) -> NewestSession:
    newest = breaths[-1] if breaths else Breath("", SessionSize(), Acts())
    name = newest.session
    fresh = new_messages(snapshot, name) if name else 0
    used = live.tokens if live is not None else newest.used
    paged = name in checkpoint_counts(snapshot) or bool(newest.acts.pages or newest.acts.keeps)
    return NewestSession(
        name,
        used,
        live.cap if live is not None else cap,
        live.said if live is not None else newest.came.messages,
        fresh,
        live.turns if live is not None else newest.came.turns,
        minutes_since_page(snapshot, name, fresh) if name else None,
        bool(name) and not paged,
        live is not None,
        _asked(snapshot),
        live.held_to if live is not None else snapshot.settings.held_to,
    )


def _asked(snapshot: "Snapshot") -> bool:
    """Return whether advice asks to have things cleared away soon."""
    return any(kind.wants_room(snapshot) for kind in find_kinds(snapshot) if kind.wants_room is not None)


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
    undone = list_undone((row[0], row[-1].split()) for row in reversed(rows))
    shelved = _shelved(repo, head)
    found: dict[str, Acts] = {}
    current = ""
    for commit, op, session, memory, forgot, _ in rows:
        kind = op.strip()
        if kind == "record" and session.split():
            current = max(current, max(session.split(), key=_order), key=_order)
        elif kind == "init":
            # a kit made from another begins with what that one recorded
            current = max((current, *_taken_over(repo, commit)), key=_order)
        if commit in undone or not kind or kind in ("undo", "redo"):
            continue
        acts = _acts(kind, memory.split("\n"), forgot.split("\n"), shelved.get(commit, 0))
        if acts != Acts():
            mine = session.split()
            name = mine[0] if len(mine) == 1 and kind in (*_PAGES, "keep") else current
            found[name] = found.get(name, Acts()).plus(acts)
    return found


def _taken_over(repo: Repository, commit: str) -> Iterator[str]:
    for path in CommitTree(repo, commit).ids:
        if SESSION_FILE.fullmatch(path):
            yield path.rpartition("/")[2].removesuffix(".md")


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
