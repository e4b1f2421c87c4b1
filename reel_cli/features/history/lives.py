"""The life of what is remembered: said, kept, recalled, faded, brought back, packed; in order of time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.files.commit_message import ANEW, FORGOT, UNDOES, Forgotten, parse_forgotten
from reel_cli.core.files.ledger_file import Entry, parse_entry, read_ledger
from reel_cli.core.git.history import Commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import BY_HAND
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.rings.line_places import find_places
from reel_cli.core.rings.losses import Loss
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.values.change import IN_WORDS
from reel_cli.core.values.memory import IndexLine, Memory, where_of
from reel_cli.core.values.source import RENUMBERED, parse_renumbered
from reel_cli.core.values.talk import PURGED, SourceRange, parse_source
from reel_cli.features.history.log import EDITED, title_then, words_of
from reel_cli.features.history.purged_stretches import find_taken

FORMS = {
    "L1": "a page",
    "L2": "a shorter page",
    "L3": "a few lines",
    "L4": "one line",
    "stub": "a line in the index",
    "dormant": "a line that is left out of bundles",
}
"""Names of a memory at each resolution."""
LET_GO = "The persona no longer has it; the recorded chat and the history do."
"""How a memory stands that left the rings."""
TAKEN_BACK = "Another persona told it, and took it back: only that one can tell it again."
_DONE = {
    "recall": "recalled",
    "reference": "came up again",
    "pack": "packed",
    "touch": "looked at",
    "pin": "pinned",
    "unpin": "unpinned",
}


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """One thing that happened to it; `at` is ISO 8601 or a day, `act` a word a program may rely on.

    `commit` and `session` are None where there is none.
    """

    at: str
    act: str
    words: str
    commit: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Life:
    """One thing that is remembered: what it is (`memory`, `line`, `exemplar`, `session`), and its life.

    `standing` says how it is now, in a few sentences.
    """

    kind: str
    id: str
    title: str
    happenings: Sequence[LifeEvent] = ()
    standing: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Records:
    """The past of a kit beside its files: its commits, newest first, and its attention.

    `touches` are journal lines that no commit holds yet.
    """

    commits: Sequence[Commit] = ()
    touches: Sequence[str] = ()
    entries: Sequence[Entry] = field(default_factory=tuple)
    repo: Repository | None = None
    """Repository in which content is looked up that the commits have only IDs of."""

    @classmethod
    def of(
        cls,
        snapshot: Snapshot,
        commits: Sequence[Commit],
        touches: Sequence[str],
        repo: Repository | None = None,
    ) -> "Records":
        """Return the records of a kit, with its journal read."""
        later = (entry for entry in map(parse_entry, touches) if entry is not None)
        return cls(commits, touches, (*read_ledger(snapshot), *later), repo)


def memory_life(snapshot: Snapshot, memory: Memory, records: Records) -> Life:
    """Return the life of a memory in ring 3."""
    found = said(snapshot, where_of(memory), memory.anchor) + purged(snapshot, where_of(memory))
    made = made_and_lost(records.commits, memory.id)
    if not any(one.act == "kept" for one in made) and memory.created:
        made.append(LifeEvent(memory.created, "kept", "became a memory"))
    found += made
    found += attention(records.entries, [memory.id])
    standing = [f"It is {FORMS.get(memory.level.value, memory.level.value)} now."]
    if memory.immune:
        why = f": {memory.immune_reason.rstrip('.')}" if memory.immune_reason else ""
        standing.append(f"It never fades to less than one line{why}.")
    return Life("memory", memory.id, memory.title, in_order(found), standing)


def line_life(snapshot: Snapshot, line: IndexLine, records: Records) -> Life:
    """Return the life of an index line without a memory: a pruned one, or a stretch of tape."""
    place = line.where or find_places(snapshot, [line]).get(line.id)
    where = [place] if place is not None else []
    found = said(snapshot, where, line.anchor) + purged(snapshot, where)
    found += made_and_lost(records.commits, line.id)
    found += attention(records.entries, [line.id])
    what = "It is a line that says where it was said."
    if line.pruned:
        what = "Only its line in the index is left."
    elif line.where is None:
        what = "It is a line that does not say where it was said."
        what += " Its phrase is on the tape, so it is found." if where else ""
    return Life("line", line.id, line.description, in_order(found), [what])


def asleep_life(snapshot: Snapshot, name: str, records: Records) -> Life | None:
    """Return the life of a memory that left the rings; None if history knows of none."""
    found = made_and_lost(records.commits, name)
    if not found:
        return None
    lost = ((commit, parse_forgotten(value)) for commit in records.commits for value in commit.values(FORGOT))
    mine = [(commit, loss) for commit, loss in lost if loss is not None and loss.id == name]
    if mine and Loss(mine[0][1], mine[0][0].id, mine[0][0].time, mine[0][0].op).withdrawn:
        return Life("asleep", name, "", in_order(found), [TAKEN_BACK])
    source = next((loss.source for _, loss in mine), "")
    spans = [span for span in map(parse_source, source.split(",")) if span is not None]
    found = said(snapshot, spans, "") + purged(snapshot, spans) + found
    title = title_then(records.repo, records.commits, name) if records.repo is not None else ""
    found += attention(records.entries, [name])
    standing = [LET_GO]
    return Life("asleep", name, title, in_order(found), standing)


def said(snapshot: Snapshot, where: Iterable[SourceRange], phrase: str) -> list[LifeEvent]:
    """Return when a memory's source was said, and who said the phrase that finds it."""
    found = []
    settings = snapshot.settings
    for span in where:
        if span.session not in snapshot.sessions:
            found.append(LifeEvent(span.session[:10], "said", f"said ({stretch(span)}, not in this kit)"))
            continue
        session = read_session(snapshot, span.session)
        entries = [e for e in session.shown() if not span.last or span.first <= (e.number or 0) <= span.last]
        at = next((e.message.time for e in entries if e.message.time), None) or session.started
        found.append(
            LifeEvent(at or span.session[:10], "said", f"said, {stretch(span)}", session=span.session)
        )
        hit = Tape(entries).find(phrase) if phrase and PURGED not in phrase else None
        if hit is not None:
            entry = session.numbered()[hit.number]
            who = speaker(entry, user=settings.user, persona=settings.name)
            found.append(
                LifeEvent(
                    entry.message.time or at or span.session[:10],
                    "said",
                    f"{who}: “{hit.text}” (message {hit.number})",
                    session=span.session,
                )
            )
    return found


def purged(snapshot: Snapshot, where: Iterable[SourceRange]) -> list[LifeEvent]:
    """Return when part of a memory's source was purged, and how much of it."""
    return [
        LifeEvent(taken.at, "purged", taken.words, session=taken.session)
        for span in where
        for taken in find_taken(snapshot, span)
    ]


def made_and_lost(commits: Iterable[Commit], name: str) -> list[LifeEvent]:
    """Return the trailers of history about one memory or line: kept, faded, let go, brought back."""
    found: list[LifeEvent] = []
    told: dict[str, str] = {}
    for commit in list(commits)[::-1]:
        session = next(iter(commit.values("Reel-Session")), None)
        before = len(found)
        losses = [loss for value in commit.values(FORGOT) if (loss := parse_forgotten(value)) is not None]
        fell = any(loss.id == name for loss in losses)
        for value in commit.values("Reel-Memory"):
            parts = value.split()
            # a page that a model shortened is described by what it lost
            if parts and parts[0] == name and not fell:
                words = _kept(commit, parts)
                found.append(LifeEvent(commit.time, "kept", words, commit.id, session))
        if name in (value.strip() for value in commit.values("Reel-Index")):
            back = commit.op == "restore"
            words = "brought back as a line in the index" if back else "became a line in the index"
            found.append(LifeEvent(commit.time, "kept", words, commit.id, session))
        found += [
            LifeEvent(commit.time, "faded", _lost(commit, loss), commit.id, session)
            for loss in losses
            if loss.id == name
        ]
        for value in commit.values(RENUMBERED):
            pair = parse_renumbered(value)
            if pair is not None and pair[1] == name:
                words = f"was called {pair[0]} before; another machine had given that number too"
                found.append(LifeEvent(commit.time, "renumbered", words, commit.id))
        if len(found) > before:
            told[commit.id] = found[-1].words.partition(",")[0].partition(":")[0]
        done = "redone" if commit.op == "redo" else "undone"
        for target in commit.values(UNDOES):
            if target in told:
                found.append(LifeEvent(commit.time, done, f"{done}: {told[target]}", commit.id))
                told[commit.id] = told[target]
    return found


def _lost(commit: Commit, loss: Forgotten) -> str:
    """Return a loss in words; what a person let go did not fade by itself."""
    why = f": {loss.why}" if loss.reason else ""
    before, after = (FORMS.get(form, form) for form in (loss.before, loss.after))
    size = f"{loss.tokens_before:,} to {loss.tokens_after:,} tokens"
    if loss.tokens_before == loss.tokens_after:
        size = f"as it was, {loss.tokens_after:,} tokens"
    done = "let go" if commit.op == "forget" else "faded"
    return f"{done} from {before} to {after}, {size}{why}"


def attention(entries: Iterable[Entry], names: Sequence[str]) -> list[LifeEvent]:
    """Return the ledger's entries about it; packings are summed up, the others told day by day."""
    grouped: dict[tuple[str, str], list[Entry]] = {}
    wanted = set(names)
    for entry in entries:
        if entry.on in wanted or not wanted.isdisjoint(entry.on.split()):
            day = "" if entry.do == "pack" else entry.at[:10]
            grouped.setdefault((entry.do, day), []).append(entry)
    found = []
    for (act, _), same in grouped.items():
        newest = max(same, key=lambda entry: moment(entry.at))
        words = _DONE[act]
        if len(same) > 1:
            since = min(entry.at[:10] for entry in same)
            first = f" since {since}" if since != newest.at[:10] else ""
            words = f"{words}, {len(same):,} times{first}"
        found.append(LifeEvent(newest.at, act, words, session=newest.session or None))
    return found


def commits_of(snapshot: Snapshot, records: Records, session: str) -> list[LifeEvent]:
    """Return what was done because of a session, commit by commit."""
    # notes on the tape are described by the tape's own events
    mine = [one for one in records.commits if session in one.values("Reel-Session") and one.op != "tape"]
    told = words_of(records.repo, snapshot, mine)
    found = []
    for commit in mine:
        act = commit.op or BY_HAND
        words = f"{EDITED if act == BY_HAND else IN_WORDS.get(act, act)}: {told[commit.id]}"
        found.append(LifeEvent(commit.time, act, words, commit.id, session))
    return found


def in_order(happenings: Iterable[LifeEvent]) -> list[LifeEvent]:
    """Return events by time; those of the same time in the given order."""
    return sorted(happenings, key=lambda one: moment(one.at))


def stretch(span: SourceRange) -> str:
    """Return a stretch of tape in words."""
    if not span.last:
        return f"chat {span.session}"
    if span.first == span.last:
        return f"chat {span.session}, message {span.first}"
    return f"chat {span.session}, messages {span.first} to {span.last}"


def _kept(commit: Commit, parts: Sequence[str]) -> str:
    level = FORMS.get(parts[1], parts[1]) if len(parts) > 1 else "a memory"
    size = f" of {int(parts[2]):,} tokens" if len(parts) > 2 and parts[2].isdigit() else ""
    if commit.op == "restore":
        return f"brought back as {level}{size}"
    if commit.subject.endswith(ANEW):
        return f"written again from what was said, as {level}{size}"
    return (
        f"became a memory: {level}{size}"
        if commit.op in ("checkpoint", "consolidate", "promote")
        else (f"kept as {level}{size}")
    )
