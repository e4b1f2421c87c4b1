"""The changes of a kit, one by one."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, tzinfo
from typing import Any

from reel_cli.core.errors import ReelError, StateError, UsageError
from reel_cli.core.files.commit_message import (
    CORRECTED,
    FORGOT,
    MARKED,
    NOTE,
    NOTICED,
    UNDOES,
    Forgotten,
    parse_forgotten,
)
from reel_cli.core.files.exemplar_file import exemplar_path, parse_exemplar
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.frozen import frozen, late
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import BY_HAND
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.rings.losses import Loss
from reel_cli.core.tape.tape_view import CORRECTION, UNTITLED, read_events, told_of_each
from reel_cli.core.values.change import IN_WORDS, one_line
from reel_cli.core.values.memory import MEMORY_ID, memory_path
from reel_cli.core.values.talk import PURGED
from reel_cli.features.forgetting.plan_restore import losses_of
from reel_cli.features.history.decision_words import name_decisions
from reel_cli.features.verify.sessions import call_sessions

EDITED = "by hand"
"""Word for a change that a person made without reel."""


@frozen
class LogEntry:
    """One change; `op` is None for a commit that reel did not make, `session` where none caused it.

    `time` is ISO 8601 with an offset, `memories` the IDs it made or kept, `forgot` what it let go.
    """

    commit: str
    time: str
    op: str | None
    subject: str
    session: str | None
    memories: Sequence[str]
    forgot: Sequence[Forgotten]
    undoes: str | None = None
    """The commit that it took back."""
    note: str = ""
    """Reason for the change, as its message has it beside the subject."""

    @property
    def kind(self) -> str:
        """Return the operation in a word or two; in maintenance, only memories fade."""
        if self.op == "maintain" and all(loss.before == NOTE for loss in self.forgot):
            return "tended"
        return EDITED if self.op in (None, BY_HAND) else IN_WORDS.get(self.op, self.op)

    def called(self, names: Mapping[str, str]) -> str:
        """Return the words, with present names from `names` in place of IDs."""
        words, session = self.words, self.session or ""
        if self.commit in names:
            return names[self.commit]
        if self.op == "record" and session:
            _, old, rest = words.partition(f" ({session})")
            if old:
                return f"{names[session]}{old}{rest}" if session in names else words
            bare = words.removeprefix(session)
            return f"{names.get(session, UNTITLED)} ({session}){bare}" if bare != words else words
        if words == session and self.memories:
            # a page is named by its memory's title
            title = names.get(self.memories[0], self.memories[0])
            return f"{title} ({session})"
        if self.op == "dream" and self.note and self.note not in words:
            return f"{words}{': ' if words == NOTICED else ', because: '}{self.note}"
        if self.op == "exemplar" and '"' not in words:
            return _SLUG.sub(lambda found: names.get(exemplar_path(found[0]), found[0]), words)
        found = set(_NAMED.findall(words))
        if len(found) == 1 and (name := found.pop()) in names and f"({name})" not in words:
            return words.replace(name, f"{names[name]} ({name})", 1)
        return words

    @property
    def words(self) -> str:
        """Return what was done: the subject without its operation."""
        if self.op is None:
            return self.subject
        said = self.subject.removeprefix(f"{self.op}: ")
        if self.op == BY_HAND:
            return "what you had edited before" if said == "by hand" else said.removesuffix(", by hand")
        return said.partition(": ")[2] or said if self.op in ("undo", "redo") else said


_NAMED = late(r"(?<![\w/-])M-\d+\b(?!\.md)")
_SLUG = late(r"[\w-]+")
_GREW = late(r"(?P<head>.*[)\d]), (?P<many>[\d,]+) messages?(?P<more> more)?", re.DOTALL)


def fold_growth(changes: Sequence[LogEntry]) -> list[LogEntry]:
    """Return the changes, newest first; recordings of a growing chat count as one, the newest."""
    folded: list[LogEntry] = []
    for change in changes:
        last = folded[-1] if folded else None
        if last is not None and last.op == change.op == "record" and last.session == change.session:
            now, then = _GREW.fullmatch(last.subject), _GREW.fullmatch(change.subject)
            if now is not None and then is not None and now["more"]:
                many = int(now["many"].replace(",", "")) + int(then["many"].replace(",", ""))
                folded[-1] = replace(last, subject=f"{now['head']}, {many:,} messages{then['more'] or ''}")
                continue
        folded.append(change)
    return folded


def read_words(repo: Repository, snapshot: Snapshot, commit: str) -> str:
    """Return the log's words for a commit; `commit` is its full id.

    Raises StateError where history has no such commit of this kit.
    """
    found = [one for one in read_log(repo, limit=1, tip=commit) if one.id == commit]
    if not found:
        message = f"Commit {commit[:7]} changes nothing in this kit."
        raise StateError(message)
    change = _logged(found[0])
    return change.called(names_of(snapshot, [change], repo))


def words_of(repo: Repository | None, snapshot: Snapshot, commits: Sequence[Commit]) -> Mapping[str, str]:
    """Return the log's words for each of these commits, by its full id."""
    changes = [_logged(commit) for commit in commits]
    names = names_of(snapshot, changes, repo)
    return {change.commit: change.called(names) for change in changes}


def title_then(repo: Repository, commits: Sequence[Commit], name: str) -> str:
    """Return the title of a memory that left the index, by these commits; "" where none tells."""
    for change in map(_logged, commits):
        titles = _titles_then(repo, change, {name})
        if titles:
            return titles[name]
    return ""


def names_of(
    snapshot: Snapshot, changes: Sequence[LogEntry], repo: Repository | None = None
) -> Mapping[str, str]:
    """Return the words for what commits have only IDs of: by session, memory and exemplar's path.

    A commit that noted a flag or a correction, or that took another back, has its words by its own id. Of
    sessions only those are told whose commit has no title, or had another then. What is gone from the
    kit's files is looked up in `repo`.
    """
    try:
        titled = told_of_each(snapshot, "title")
    except ReelError:
        # history can be shown for a damaged tape too
        titled = {}
    wanted = [
        change.session
        for change in changes
        if change.op == "record" and change.session
        if change.session in titled or change.words.startswith((f"{UNTITLED} (", change.session))
    ]
    names = {**_titles(snapshot), **_noted(snapshot, changes), **call_sessions(snapshot, wanted, titled)}
    names = {key: told for key, told in names.items() if told != PURGED}
    if any(change.op == "exemplar" for change in changes):
        names |= _exemplars(snapshot)
    if repo is not None:
        for change in changes:
            names |= _exemplars_then(repo, change, names)
            ids = {*change.memories, *(loss.id for loss in change.forgot)}
            names |= _titles_then(
                repo, change, {one for one in ids - names.keys() if MEMORY_ID.fullmatch(one)}
            )
        names |= name_decisions(repo, changes)
    known = {change.commit: change for change in changes}
    for change in reversed(changes):
        # from the oldest, since a redo takes back an undo and has its words
        undone = known.get(change.undoes or "")
        if change.op == "redo" and change.session:
            # a chat that counts again has its own words: what it takes back is that the chat did not
            continue
        if undone is not None:
            names[change.commit] = undone.called(names)
        elif change.undoes and repo is not None:
            # done before the first of these
            with suppress(ReelError):
                names[change.commit] = read_words(repo, snapshot, change.undoes)
    return names


def _titles_then(repo: Repository, change: LogEntry, wanted: AbstractSet[str]) -> Mapping[str, str]:
    """Return the titles of memories as a change made them or let them go."""
    if not wanted:
        return {}
    found: dict[str, str] = {}
    with CommitTree(repo, change.commit) as tree:
        for name in wanted & set(change.memories):
            with suppress(ReelError):
                found[name] = title_in(tree.read(memory_path(name)), name)
        for loss in change.forgot:
            if loss.id in wanted:
                with suppress(ReelError):
                    found[loss.id] = title_in(tree.read_blob(loss.was), loss.id)
    return {name: title for name, title in found.items() if title}


def title_in(data: bytes | None, name: str) -> str:
    """Return a memory's title by its own file, or by the index."""
    text = (data or b"").decode("utf-8", "replace")
    with suppress(ReelError):
        line = parse_index(text).lines.get(name)
        return line.description if line is not None else parse_memory(text, memory_path(name)).title
    return ""


def _titles(snapshot: Snapshot) -> Mapping[str, str]:
    """Return each memory's title in the index."""
    try:
        return {name: one_line(line.description) for name, line in snapshot.index.lines.items()}
    except ReelError:
        return {}


def _exemplars(snapshot: Snapshot) -> Mapping[str, str]:
    """Return each exemplar's title, in quotes, by its path."""
    try:
        pool = snapshot.exemplars
    except ReelError:
        return {}
    return {exemplar_path(slug): f'"{one_line(one.title)}"' for slug, one in pool.items()}


def _exemplars_then(repo: Repository, change: LogEntry, known: Mapping[str, str]) -> Mapping[str, str]:
    """Return the titles of examples that a change names and that are in the kit no more, by their paths."""
    paths = {exemplar_path(slug) for slug in _SLUG.findall(change.words)}
    if change.op != "exemplar" or '"' in change.words or not paths.isdisjoint(known):
        return {}
    found: dict[str, str] = {}
    with suppress(ReelError), CommitTree(repo, change.commit) as tree:
        for path in sorted(paths & tree.ids.keys()):
            title = parse_exemplar(
                (tree.read(path) or b"").decode("utf-8", "replace"), path, later=True
            ).title
            if title != PURGED:
                found[path] = f'"{one_line(title)}"'
    return found


def _noted(snapshot: Snapshot, changes: Sequence[LogEntry]) -> Mapping[str, str]:
    """Return the words of flags and corrections, by their commit; `changes` are newest first."""
    tape = [one for one in changes if one.op == "tape" and one.words.startswith((MARKED, CORRECTED))]
    # an older kit has them in the subject
    bare = [change for change in tape if ": " not in change.words]
    try:
        events = [one for one in read_events(snapshot) if one.kind in ("flag", CORRECTION)] if bare else []
    except ReelError:
        return {}
    events.sort(key=lambda one: moment(one.at))
    found = {}
    for change in bare:
        kind = "flag" if change.words.startswith(MARKED) else CORRECTION
        until = datetime.fromisoformat(change.time)
        # an event is noted before its commit is made; of two events the later belongs to the later commit
        fits = [one for one in events if one.kind == kind and moment(one.at) <= until]
        fits = [one for one in fits if one.session == change.session]
        if fits:
            events.remove(fits[-1])
            found[change.commit] = f"{change.words}: {one_line(fits[-1].text, 60)}"
    return found


def list_log(
    repo: Repository,
    limit: int | None = None,
    since: str = "",
    zone: tzinfo | None = None,
    tip: str | None = None,
) -> Sequence[LogEntry]:
    """Return the changes of a kit, newest first, at most `limit`; with `since` those of that day and after.

    `tip` (a full id) is the last to be told of.
    """
    if not since:
        return [_logged(commit) for commit in read_log(repo, limit=limit, tip=tip)]
    found = [_logged(c) for c in read_log(repo, tip=tip) if day_of(c.time, zone) >= since]
    return found[:limit]


def list_forgotten(
    snapshot: Snapshot,
    repo: Repository,
    since: str = "",
    zone: tzinfo | None = None,
    tip: str | None = None,
) -> Sequence[tuple[LogEntry, Sequence[Loss]]]:
    """Return the changes that dropped something, newest first, with losses and whether they are back.

    `tip` as in `list_log`; `snapshot` is the kit as it holds it.
    """
    commits = read_log(repo, tip=tip)
    losses: dict[str, list[Loss]] = {}
    for loss in losses_of(snapshot, repo, commits):
        losses.setdefault(loss.commit, []).insert(0, loss)
    return [
        (_logged(commit), losses[commit.id])
        for commit in commits
        if commit.id in losses and day_of(commit.time, zone) >= since
    ]


def day_of(time: str, zone: tzinfo | None) -> str:
    """Return the day of a commit's time, `2026-02-25`, in a zone (None: the machine's own)."""
    return datetime.fromisoformat(time).astimezone(zone).date().isoformat()


def since_day(text: str) -> str:
    """Return the first day of a day, a month or a year (`2026-06`); UsageError for other text."""
    plain = text.strip()
    year, *rest = plain.split("-")
    try:
        if not re.fullmatch(r"\d{4}(-\d{2}){0,2}", plain, re.ASCII):
            raise ValueError  # noqa: TRY301
        return date(int(year), *(int(part) for part in [*rest, "1", "1"][:2])).isoformat()
    except ValueError:
        message = f"--since {text!r} is not a day."
        raise UsageError(message, hint="write it as 2026-06-01, 2026-06 or 2026") from None


def _logged(commit: Commit) -> LogEntry:
    made = (value.split(" ", 1)[0] for value in commit.values("Reel-Memory"))
    lost = (parse_forgotten(value) for value in commit.values(FORGOT))
    return LogEntry(
        commit=commit.id,
        time=commit.time,
        op=commit.op,
        subject=commit.subject,
        session=next(iter(commit.values("Reel-Session")), None),
        memories=[name for name in made if MEMORY_ID.fullmatch(name)],
        forgot=[loss for loss in lost if loss is not None],
        undoes=next(iter(commit.values(UNDOES)), None),
        note=one_line(commit.body, 72),
    )


def change_as_json(change: "LogEntry") -> dict[str, Any]:
    """Return one change as JSON."""
    return {
        "commit": change.commit,
        "time": change.time,
        "op": change.op,
        "subject": change.subject,
        "session": change.session,
        "memories": list(change.memories),
        "forgot": [loss_as_json(loss) for loss in change.forgot],
    }


def loss_as_json(loss: "Forgotten") -> dict[str, Any]:
    """Return one loss as JSON."""
    return {
        "id": loss.id,
        "from": loss.before,
        "to": loss.after,
        "tokens_before": loss.tokens_before,
        "tokens_after": loss.tokens_after,
        "reason": loss.reason,
        "was": loss.was,
        "source": loss.source,
    }
