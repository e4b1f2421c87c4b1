"""Survey of what a purge would take, and what it does not reach; nothing is changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.index_file import render_line
from reel_cli.core.files.kit_files import Retold, find_kind
from reel_cli.core.files.state import State
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import ObjectReader
from reel_cli.core.kit.hand_edits import EditKind
from reel_cli.core.kit.kinds import find_retold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.blocks import Block, read_blocks
from reel_cli.core.tape.erasure.tombstones import cut_file
from reel_cli.core.tape.same_chat import find_same
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.memory import memory_path
from reel_cli.core.values.talk import SourceRange, session_of
from reel_cli.features.forgetting.chat_traces import NO_TRACES, ChatTraces, find_traces
from reel_cli.features.history.backup import Backup, last_backup
from reel_cli.features.purge.aim import Aim, cut_of, own_names, prints_of, proposed_exchanges, rewriter
from reel_cli.features.purge.committed_edits import list_committed_edits, list_loose_files
from reel_cli.features.purge.history_rewrite import HistoryRewrite
from reel_cli.features.purge.leftovers import Leftovers, find_leftovers
from reel_cli.features.purge.new_history import commits_of
from reel_cli.features.purge.preflight import (
    LEFT,
    Remote,
    count_stashed,
    list_names,
    list_remotes,
    require_alone,
)
from reel_cli.features.purge.scan import Trace, list_ignored, scan_files, scan_objects
from reel_cli.features.purge.written_files import WrittenFiles, find_written

CACHES = ".reel/cache/"
"""Folder of what reel derives from the kit, lower-cased in part; what stands there stands elsewhere."""


@dataclass(frozen=True, slots=True)
class Stand:
    """One file in which it stands: the lines now (none: only in older versions), and in how many commits.

    `messages` are the numbers of the messages that hold it, for a session.
    """

    path: str
    lines: tuple[int, ...]
    commits: int
    messages: tuple[int, ...] = ()
    whole: bool = False
    """True if all of the file's words are purged."""


@dataclass(frozen=True, slots=True)
class MadeOf:
    """A memory, or a line of the index, made from what goes; `loses`: what goes stands in it."""

    id: str
    title: str
    loses: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """The occurrences of the text, and the consequences of purging it."""

    aim: Aim
    stands: Sequence[Stand]
    commit_messages: int
    commits: int
    made_of: Sequence[MadeOf]
    refs: Sequence[str]
    stashed: int
    uncommitted: Mapping[str, EditKind]
    waiting: int
    remotes: Sequence[Remote]
    backup: Backup | None
    theirs: Sequence[Trace]
    beside: Sequence[Trace]
    """Copies in the files that git or reel keep beside the history, which are emptied."""
    prints: int
    leftovers: Leftovers
    """Other spellings, which stay, and files that are no text, in which nobody can look for it."""
    written: WrittenFiles
    """Files that reel wrote outside the kit."""
    woven: Sequence[Retold] = ()
    """Text that dreaming wove from it."""
    same: Sequence[str] = ()
    """Other sessions with the same chat, which stay."""
    came: ChatTraces = NO_TRACES
    """Memories and notes that came of a session's page."""
    shared: tuple[int, int] = (0, 0)
    """Number of a session's messages that other chats have too, and of all its messages."""
    loose: Sequence[str] = ()
    """Files beside the kit's own that are rewritten, and stay out of its history."""

    @property
    def had_page(self) -> bool:
        """Return whether a page was ever made of the session, so that history has its words."""
        begin = f"checkpoints/{self.aim.session}."
        return bool(self.aim.session) and any(stand.path.startswith(begin) for stand in self.stands)

    @property
    def found(self) -> bool:
        """Return whether it occurs anywhere that reel reaches; a cache only repeats what the kit says."""
        beside = any(not trace.where.startswith(CACHES) for trace in self.beside)
        return bool(self.stands or self.commit_messages or self.refs or beside)


def survey(  # noqa: PLR0913 (the kit, its history, its state, and what is sought)
    snapshot: Snapshot, repo: Repository, kit: Path, state: State, aim: Aim, now: datetime
) -> Survey:
    """Look everything up; StateError where this kit's history cannot be purged by reel."""
    require_alone(repo)
    rewrite = rewriter(aim, "")
    names = list_names(repo)
    head = repo.head()
    with ObjectReader(repo.root) as reader:
        past = HistoryRewrite(repo, Git(repo.root), reader, rewrite, aim.wanted, kit, dry=True)
        tips = commits_of(reader, [name for name in names if not name.ref.startswith(LEFT)])
        past.run([*([head] if head else ()), *tips])
        refs = [
            name.ref
            for name in names
            if not name.ref.startswith(LEFT) and past.holds(name.ref, name.object, name.kind)
        ]
    stands = _stands(snapshot, aim, past)
    traces = list(scan_files(kit, aim, list_ignored(repo)))
    beside = [t for t in traces if not t.theirs and t.where.startswith((".git/", ".reel/"))]
    if not (stands or past.messages or refs):
        # it may still be in a stash or in an amended commit
        beside += scan_objects(repo, aim)
    return Survey(
        aim,
        stands,
        past.messages,
        past.commits,
        _made_of(snapshot, aim, stands),
        refs,
        count_stashed(repo),
        list_committed_edits(repo),
        len(state.exchanges()),
        list_remotes(repo),
        last_backup(state, repo, now),
        [trace for trace in traces if trace.theirs],
        beside,
        len(prints_of(snapshot, aim, "")),
        find_leftovers(repo, kit, None if aim.session else aim.wanted, own_names(snapshot)),
        find_written(state, aim),
        _woven(snapshot, aim, stands),
        find_same(snapshot, aim.session) if aim.session else (),
        find_traces(snapshot, [aim.session], whole=True) if aim.session else NO_TRACES,
        _shared(snapshot, aim),
        list_loose_files(repo, kit, aim),
    )


def _shared(snapshot: Snapshot, aim: Aim) -> tuple[int, int]:
    if not aim.session:
        return 0, 0
    said = [entry.message.text for entry in read_session(snapshot, aim.session).shown()]
    return sum(map(aim.elsewhere.holds, said)), len(said)


def _woven(snapshot: Snapshot, aim: Aim, stands: Sequence[Stand]) -> Sequence[Retold]:
    """Return what tells of it in its own words; for a whole session, what the user said goes anyway."""
    struck = {session_of(s.path) or "": s.messages for s in stands if s.messages}
    return find_retold(snapshot, struck, whole=aim.session is not None)


def _stands(snapshot: Snapshot, aim: Aim, past: HistoryRewrite) -> Sequence[Stand]:
    rewrite = rewriter(aim, "")
    found: dict[str, Stand] = {}
    offered = proposed_exchanges(snapshot, aim.session) if aim.session else ()
    for path in snapshot.list(""):
        try:
            data = snapshot.read(path) or b""
        except ReelError:
            continue
        named = past.new_part(path) != path
        if not named and rewrite(path, data) == data and path not in offered:
            continue
        commits = past.commits_of.get(path, 0)
        cut = cut_of(aim, "", path)
        checkpoint = aim.session is not None and path.startswith("checkpoints/")
        whole = (cut is not None and cut.whole) or (
            checkpoint and path.startswith(f"checkpoints/{aim.session}.")
        )
        whole = whole or path in offered
        lines = () if whole else _lines(aim, path, data)
        kind = find_kind(path)
        if kind is not None and kind.purged_lines is not None:
            lines = tuple(sorted({*lines, *kind.purged_lines(data, aim.wanted, aim.session)}))
        found[path] = Stand(path, lines, commits, _messages(aim, path, data), whole)
    for path in past.commits_of:
        if path not in found:
            found[path] = Stand(path, (), past.commits_of[path])
    return [found[path] for path in sorted(found)]


def _messages(aim: Aim, path: str, data: bytes) -> tuple[int, ...]:
    numbers = (block.header.get("n") for block in _struck(aim, path, data))
    return tuple(number for number in numbers if isinstance(number, int))


def _lines(aim: Aim, path: str, data: bytes) -> tuple[int, ...]:
    """Return the lines that lose it; in another session, where the messages begin that told it again."""
    if aim.session is not None and session_of(path) is not None:
        return tuple(block.line for block in _struck(aim, path, data))
    return tuple(aim.wanted.lines_of_bytes(data))


def _struck(aim: Aim, path: str, data: bytes) -> Sequence[Block]:
    """Return the blocks of a tape file that lose something; none for another file."""
    cut = cut_of(aim, "", path)
    try:
        gone = cut_file(data, path, cut)[1] if cut is not None else ()
        return (
            [block for at, block in enumerate(read_blocks(data, path), start=1) if at in gone] if gone else ()
        )
    except ReelError:
        return ()


def _made_of(snapshot: Snapshot, aim: Aim, stands: Sequence[Stand]) -> Sequence[MadeOf]:
    """Return the memories and lines whose source on the tape is purged, or holds what is."""
    struck = {session_of(stand.path) or "": stand.messages for stand in stands if stand.messages}
    lost = {stand.path for stand in stands if stand.lines}
    found: dict[str, MadeOf] = {}
    for memory in snapshot.memories.values():
        spans = memory.source or tuple(SourceRange(session, 1, 0) for session in memory.sessions)
        loses = memory_path(memory.id) in lost
        if loses or any(span.meets(struck) for span in spans):
            found[memory.id] = MadeOf(memory.id, memory.title, loses)
    for line in snapshot.index.lines.values():
        if line.id not in snapshot.memories and line.where is not None and line.where.meets(struck):
            found[line.id] = MadeOf(line.id, line.description, aim.wanted.stands_in(render_line(line)))
    return [found[name] for name in sorted(found)]


def as_json(found: Survey) -> Mapping[str, object]:
    """Return the survey as JSON."""
    return {
        "session": found.aim.session,
        "found": found.found,
        "places": [
            {
                "path": stand.path,
                "lines": list(stand.lines),
                "messages": list(stand.messages),
                "commits": stand.commits,
            }
            for stand in found.stands
        ],
        "commit_messages": found.commit_messages,
        "names": list(found.refs),
        "beside": [trace.where for trace in found.beside],
        "memories": [{"id": one.id, "title": one.title, "loses": one.loses} for one in found.made_of],
        "notes": [{"section": one.section, "text": one.text} for one in found.came.notes],
        "woven": [{"path": one.path, "line": one.line, "title": one.title} for one in found.woven],
        "unsearched": list(found.leftovers.sealed),
        "uncommitted": list(found.uncommitted),
        "loose": list(found.loose),
        "stashed": found.stashed,
        "prompts": found.waiting,
        "remotes": [{"name": remote.name, "address": remote.address} for remote in found.remotes],
        "backup": found.backup.file if found.backup else None,
        "written": [*found.written.paths, *found.written.away],
        "recorded_from": [{"path": trace.where, "lines": list(trace.lines)} for trace in found.written.came],
        "not_reels": [{"path": trace.where, "lines": list(trace.lines)} for trace in found.theirs],
        "fingerprints": found.prints,
        "otherwise": list(found.leftovers.forms),
        "parts": [{"text": part.word, "lines": part.lines} for part in found.leftovers.parts],
        "same_chat": list(found.same),
    }
