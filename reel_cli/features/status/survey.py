"""Survey of a kit: what it holds, how full its rings are, what is due, what waits for a decision.

A file that cannot be read is named, and the rest is surveyed without it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import parse_exemplar
from reel_cli.core.files.kit_files import CORE_FILES, check_file, list_kit_files
from reel_cli.core.files.state import State
from reel_cli.core.files.tree import Tree, WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.approved_rings import read_approved, read_in_force
from reel_cli.core.kit.catalog import with_holdings
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.kit_damage import list_missing
from reel_cli.core.kit.snapshot import EVENTS, INDEX, Snapshot
from reel_cli.core.pack.render import MARKDOWN, core_tokens
from reel_cli.core.rings.losses import list_let_go, note_let_go
from reel_cli.core.tape.erasure.purged_chats import list_purged_chats
from reel_cli.core.tape.tape_view import count_said, moved, read_events, read_session, standing_sessions
from reel_cli.core.values.bundle import Share
from reel_cli.core.values.due import Due
from reel_cli.core.values.holdings import Holdings
from reel_cli.core.values.memory import ActiveSet, Level
from reel_cli.core.values.settings import SMALL_WINDOW
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Event
from reel_cli.features.page.cold_start import Criterion, find_transition, is_cold, is_mature, measure_maturity
from reel_cli.features.page.due import LetGo, list_due, mark_doubt
from reel_cli.features.page.owed_pages import find_half_pages
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import WaitingProposal
from reel_cli.features.status.upkeep import UpkeepFacts, list_upkeep

if TYPE_CHECKING:
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.features.status.uncommitted_files import UncommittedFiles

T = TypeVar("T")
SHOWN_BROKEN = 5


class _Without:
    """A tree in which some files are not there."""

    def __init__(self, tree: Tree, hidden: frozenset[str]) -> None:
        self._tree = tree
        self._hidden = hidden

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes, or None where there is none, or it is left out."""
        return None if path in self._hidden else self._tree.read(path)

    def list(self, folder: str) -> Sequence[str]:
        """Return every file below a folder that is not left out."""
        return [path for path in self._tree.list(folder) if path not in self._hidden]


def without(tree: Tree, hidden: Mapping[str, str]) -> Tree:
    """Return the tree without these files."""
    return _Without(tree, frozenset(hidden))


def _read_file(snapshot: Snapshot, path: str) -> None:
    """Read a file as the kit will; ReelError where that fails: a role of a later kit fails in this one."""
    data = snapshot.read(path) or b""
    check_file(path, data)
    if path.startswith("ring1/") and path.endswith(".md") and not snapshot.is_later:
        parse_exemplar(data.decode(), path)


def find_broken(snapshot: Snapshot) -> Mapping[str, str]:
    """Return every unreadable file, by kit path, with what is wrong in words."""
    broken: dict[str, str] = {}

    def attempt(path: str, read: Callable[[], object]) -> None:
        try:
            read()
        except ReelError as error:
            broken[path] = error.message.rstrip(".")

    def look(path: str) -> None:
        attempt(path, lambda: _read_file(snapshot, path))

    needed = [file for file in list_kit_files() if file.needed]
    for file in (file for file in needed if file in CORE_FILES):
        for path in snapshot.list(file.name) if file.path.endswith("/") else (file.path,):
            look(path)
    attempt(INDEX, lambda: snapshot.text(INDEX))
    attempt(EVENTS, lambda: read_events(snapshot))
    for file in (file for file in needed if file not in CORE_FILES):
        look(file.path)
    for session in snapshot.sessions:
        attempt(session_path(session), lambda session=session: read_session(snapshot, session))  # type: ignore[misc]
    return broken


@frozen
class Status:
    """A kit at one moment; `rings` in tokens of all it holds, with each ring's range at its cap."""

    name: str
    cap: int
    sessions: Sequence[str]
    messages: int
    memories: Mapping[str, int]
    pool: Sequence[str]
    active: ActiveSet
    entries: int
    stubs: int
    rings: Mapping[str, Share]
    maturity: Sequence[Criterion]
    mature: bool
    mature_since: str
    """Date at which the cold start was over, according to the tape; "" if it was not."""
    due: Sequence[Due]
    review: Sequence[WaitingProposal]
    uncommitted: Sequence[str]
    snapshot: Snapshot
    """The kit as it was read, without what is broken."""
    taken_back: int = 0
    """Number of chats that were taken back, without those that were purged whole."""
    purged: int = 0
    """Number of sessions on the tape beside those that count."""
    unread: Sequence[tuple[str, str]] = ()
    """Keys of kit.yaml that nothing reads, each with the setting it may be ("" for none)."""
    stamps: Mapping[str, str] = field(default_factory=dict)
    """Stamps of folders that were made on the way."""


@frozen
class _PackFacts:
    """The facts that packing needs of a kit: its cap, its pool, its levels, its tokens."""

    name: str
    cap: int
    pool: tuple[str, ...]
    active: ActiveSet
    levels: Mapping[str, int]
    tokens: Mapping[str, int]
    weight: int
    """Tokens of the memories as the window is packed: by their markers where it is small."""
    ranges: Mapping[str, tuple[int, int]]
    edited: tuple[str, ...]
    """Files of ring 1 that bundles use an earlier text of."""
    ring3: str


def read_status(kit: Path, around: UpkeepFacts, edits: "UncommittedFiles | None") -> Status:
    """Read how the kit in a folder stands; nothing of it is changed. `edits` lists what is not committed.

    Files that cannot be read are told of under `due` and left out of the rest. Raises ReelError
    where kit.yaml is one of them.
    """
    repo = around.repo

    def read(glance: Glance, held: _PackFacts, broken: Sequence[Due]) -> Status:
        uncommitted = edits.wait(held.ring3) if edits is not None else {}
        stamps = {"ring3": held.ring3} if held.ring3 else {}
        whole = Glance(WorkTree(kit), glance.name) if broken else glance
        grown = _grown(glance)
        return replace(
            _read(glance, held, grown, _list_due(glance, held, broken, around, cold=grown.cold)),
            review=list_waiting(whole, repo, uncommitted),
            uncommitted=list(uncommitted),
            unread=_unread(glance),
            stamps=stamps if edits is None else {**edits.stamps, **stamps},
        )

    return _look(kit, repo, read)


def read_due(kit: Path, around: UpkeepFacts) -> Sequence[Due]:
    """Return what is due in the kit in a folder, and look for nothing more; else as `read_status`."""
    return _look(
        kit,
        around.repo,
        lambda glance, held, broken: _list_due(glance, held, broken, around, cold=is_cold(glance)),
    )


def read_status_then(past: "PastGlance") -> Status:
    """Return the status of a kit in a commit: what it held, what was due by its files, what waited."""
    from reel_cli.core.kit.read_holdings import read_holdings

    tree, repo, commit = past.tree, past.commit.repo, past.commit.rev

    def read(glance: Glance, broken: Mapping[str, str]) -> Status:
        ring0, ring1 = read_in_force(glance, repo, commit), read_approved(glance, repo, commit)
        holdings = read_holdings(glance, MARKDOWN, _load_tokenizer, ring0, ring1)
        held = _take(holdings)
        grown = _grown(glance)
        due = _list_due(
            *(glance, held, _mends(broken), UpkeepFacts(), lambda: list_let_go(repo, commit)), cold=grown.cold
        )
        return replace(_read(glance, held, grown, due), review=list_waiting(glance, None))

    try:
        return read(past, {})
    except ReelError:
        broken = find_broken(Glance(tree, past.name))
        if not broken or "kit.yaml" in broken:
            raise
        return read(Glance(without(tree, broken), past.name), broken)


def _look(kit: Path, repo: Repository | None, read: Callable[[Glance, "_PackFacts", Sequence[Due]], T]) -> T:
    """Read something of a kit in a folder; where files of it are broken, of the rest, and of what to mend."""
    tree = WorkTree(kit)
    name = kit.resolve().name
    try:
        held = with_holdings(kit, MARKDOWN, _load_tokenizer, _take)
        glance = Glance(tree, name, kit, held.ring3)
        for path in held.edited:
            # bundles use its approved text, so only this check reads it
            _read_file(glance, path)
        return read(glance, held, ())
    except ReelError:
        broken = find_broken(Glance(tree, name))
        if not broken or "kit.yaml" in broken:
            raise
    from reel_cli.core.kit.read_holdings import read_holdings

    glance = Glance(without(tree, broken), name)
    ring0, ring1 = read_in_force(glance, repo), read_approved(glance, repo)
    held = _take(read_holdings(glance, MARKDOWN, _load_tokenizer, ring0, ring1))
    return read(glance, held, _mends(broken))


def _load_tokenizer(name: str) -> "Tokenizer":
    """Return a tokenizer, loaded only where something is counted anew."""
    from reel_cli.core.tokens.counter import get_tokenizer

    return get_tokenizer(name)


def _unread(glance: Glance) -> Sequence[tuple[str, str]]:
    """Return unread keys of kit.yaml; looked up again only if the file changed."""

    def note(path: str) -> list[tuple[str, str]]:
        from reel_cli.core.files.unread_settings import unread_keys

        return unread_keys(glance.text(path) or "")

    return [(key, near) for key, near in glance.note("unread keys", ["kit.yaml"], note)["kit.yaml"]]


def _mends(broken: Mapping[str, str]) -> Sequence[Due]:
    return [Due("mend", what) for what in broken.values()]


@frozen
class _Grown:
    """The progress of a kit to maturity, and the tape's event for when it was reached."""

    maturity: Sequence[Criterion]
    since: Event | None

    @property
    def mature(self) -> bool:
        return self.since is not None or is_mature(self.maturity)

    @property
    def cold(self) -> bool:
        return not self.mature


def _grown(snapshot: Glance) -> _Grown:
    """Return the maturity as `is_cold` decides it, with the criteria."""
    return _Grown(measure_maturity(snapshot), find_transition(snapshot))


def _read(snapshot: Glance, held: _PackFacts, grown: _Grown, due: Sequence[Due]) -> Status:
    """Return what a tree holds, without what waits and what is not committed."""
    sessions = standing_sessions(snapshot)
    entries, stubs, _ = _count_lines(snapshot)
    purged = len(list_purged_chats(snapshot))
    return Status(
        name=held.name,
        cap=held.cap,
        sessions=sessions,
        messages=sum(count_said(snapshot, sessions).values()),
        memories={level.value: held.levels.get(level.value, 0) for level in Level},
        pool=held.pool,
        active=held.active,
        entries=entries,
        stubs=stubs,
        rings=_rings(held),
        maturity=grown.maturity,
        mature=grown.mature,
        mature_since=grown.since.at if grown.since is not None else "",
        due=due,
        review=(),
        uncommitted=(),
        snapshot=snapshot,
        # what was only recorded again under its own day is no chat more
        taken_back=len(snapshot.sessions) - len(sessions) - len(moved(snapshot)) - purged,
        purged=purged,
    )


_MEMORY = "consolidation"
_DOUBT = "identity"


def _list_due(  # noqa: PLR0913 (all that something may be due by)
    snapshot: Glance,
    held: _PackFacts,
    broken: Sequence[Due],
    around: UpkeepFacts,
    let_go: LetGo | None = None,
    *,
    cold: bool,
) -> Sequence[Due]:
    """Return all that is due, repairs first; `let_go` is for another history than the present one."""
    repo = around.repo
    gone = let_go or (lambda: note_let_go(repo.root / repo.prefix, repo) if repo else ())
    halves = find_half_pages(around.exchanges, snapshot.settings.name)
    files = [(str(one.get("session")), str(one.get("stopped") or "")) for one in around.exchanges]
    stopped = {session for session, file in files if file and Path(file).is_file()}
    sessions = list_due(
        snapshot, gone, halves, cold=cold, asked=around.asked, start=around.start, stopped=stopped
    )
    if repo and let_go is None and any(one.what == _DOUBT for one in sessions):
        seen = State(repo.root / repo.prefix).seen_doubt()
        if seen and seen == mark_doubt(snapshot, standing_sessions(snapshot)):
            sessions = [one for one in sessions if one.what != _DOUBT]
    if repo and let_go is None and any(one.what == _MEMORY for one in sessions):
        # the file that is missing may be theirs, and no page is kept before it is back
        lost = list_missing(repo.root / repo.prefix, repo, under=("ring3/",))
        sessions = [one for one in sessions if one.what != _MEMORY or not lost]
    rings = {**_rings(held), "3": Share(held.weight, *held.ranges["3"])}
    upkeep = list_upkeep(snapshot, rings, around, cold=cold)
    return [*broken, *_broken_lines(snapshot), *sessions, *upkeep]


def _rings(held: _PackFacts) -> Mapping[str, Share]:
    return {ring: Share(held.tokens[ring], *span) for ring, span in held.ranges.items()}


def _take(holdings: Holdings) -> _PackFacts:
    core = holdings.core
    small = min(core.settings.window, core.settings.cap) <= SMALL_WINDOW
    return _PackFacts(
        name=core.settings.name,
        cap=core.settings.cap,
        pool=tuple(exemplar.slug for exemplar in core.exemplars),
        active=core.active,
        levels=holdings.memories.levels,
        tokens={
            **core_tokens(core, holdings.counter.count),
            "3": holdings.memories.whole,
            "4": holdings.lines.tokens,
        },
        weight=holdings.memories.markers if small else holdings.memories.whole,
        ranges={ring: span.tokens(core.settings.cap) for ring, span in core.settings.ranges.items()},
        edited=tuple(path for path, how in core.unapproved if how != "deleted"),
        ring3=holdings.ring3,
    )


def _count_lines(snapshot: Glance) -> tuple[int, int, Sequence[int]]:
    """Return the number of index lines, of stubs among them, and the lines that are none."""

    def count(rings: Snapshot) -> tuple[int, int, Sequence[int]]:
        index = rings.index
        stubs = sum(line.pruned for line in index.lines.values())
        return len(index.lines), stubs, [number for number, _ in index.broken]

    return snapshot.note_rings("counts of the index", count)


def _broken_lines(snapshot: Glance) -> list[Due]:
    _, _, broken = _count_lines(snapshot)
    found = [
        Due("mend", f"{INDEX}, line {number}: this is no line of the index, or another line has its ID")
        for number in broken[:SHOWN_BROKEN]
    ]
    if len(broken) > SHOWN_BROKEN:
        found.append(Due("mend", f"{INDEX} has {len(broken) - SHOWN_BROKEN} more lines like that"))
    return found
