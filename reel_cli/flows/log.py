"""What was done to a kit, change by change."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from reel_cli.errors import ReelError, UsageError
from reel_cli.flows.restore import losses_of
from reel_cli.flows.sessions import UNTITLED, call_sessions
from reel_cli.flows.tape_view import told_of_each
from reel_cli.kit.forgotten import FORGOT, NOTE, Forgotten, parse_forgotten
from reel_cli.kit.git import Repository
from reel_cli.kit.hand_edits import BY_HAND
from reel_cli.kit.history import Commit, read_log
from reel_cli.kit.losses import Loss
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.memory import MEMORY_ID
from reel_cli.model.pattern import late

IN_WORDS = {
    "init": "made",
    "record": "recorded",
    "checkpoint": "remembered",
    "consolidate": "remembered",
    "promote": "remembered",
    "dream": "dreamt",
    "exemplar": "exemplar",
    "tape": "tape",
    "review": "your word",
    "memory": "your word",
    "forget": "your word",
    "restore": "your word",
    "maintain": "faded",
    "purge": "purged",
    "undo": "undone",
    "merge": "made one",
    "doctor": "mended",
    BY_HAND: "by hand",
}
"""What stands for an operation on screen; another is called by its own name."""


@dataclass(frozen=True, slots=True)
class Logged:
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

    @property
    def kind(self) -> str:
        """What was done, in a word or two; of maintenance, only a memory fades."""
        if self.op == "maintain" and all(loss.before == NOTE for loss in self.forgot):
            return "tended"
        return IN_WORDS.get(self.op, self.op) if self.op is not None else IN_WORDS[BY_HAND]

    def called(self, names: Mapping[str, str]) -> str:
        """The words, with what was recorded called by its name of now, where that is among these."""
        name = names.get(self.session or "", "")
        _, mark, rest = self.words.partition(f" ({self.session})")
        return f"{name}{mark}{rest}" if self.op == "record" and name and mark else self.words

    @property
    def words(self) -> str:
        """What was done to what: the subject without its operation."""
        if self.op is None:
            return self.subject
        said = self.subject.removeprefix(f"{self.op}: ")
        if self.op == BY_HAND:
            return "what you had edited until then" if said == "by hand" else said.removesuffix(", by hand")
        return said.partition(": ")[2] or said if self.op == "undo" else said


_GREW = late(r"(?P<head>.*\)), (?P<many>[\d,]+) messages?(?P<more> more)?", re.DOTALL)


def fold_growth(changes: Sequence[Logged]) -> list[Logged]:
    """The changes, newest first; a chat that was recorded as it went on is one, the newest of its run."""
    folded: list[Logged] = []
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


def names_of(snapshot: Snapshot, changes: Sequence[Logged]) -> Mapping[str, str]:
    """What the recorded sessions are called now, where the commit has no title, or had another then."""
    try:
        titled = told_of_each(snapshot, "title")
    except ReelError:
        # what was done can be told of a damaged tape, too
        return {}
    wanted = [
        change.session
        for change in changes
        if change.op == "record" and change.session
        if change.session in titled or change.words.startswith(f"{UNTITLED} (")
    ]
    return call_sessions(snapshot, wanted)


def list_log(
    repo: Repository,
    limit: int | None = None,
    since: str = "",
    zone: tzinfo | None = None,
    tip: str | None = None,
) -> Sequence[Logged]:
    """The changes of a kit, newest first, at most `limit`; with `since` those of that day and after.

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
) -> Sequence[tuple[Logged, Sequence[Loss]]]:
    """The changes that let something go, newest first, each with its losses and whether they are back.

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
    """The day of a commit's time, `2026-02-25`, in a zone (None: the machine's own)."""
    return datetime.fromisoformat(time).astimezone(zone).date().isoformat()


def since_day(text: str) -> str:
    """The first day of a day, a month or a year (`2026-06`); UsageError for other text."""
    plain = text.strip()
    year, *rest = plain.split("-")
    try:
        if not re.fullmatch(r"\d{4}(-\d{2}){0,2}", plain, re.ASCII):
            raise ValueError  # noqa: TRY301
        return date(int(year), *(int(part) for part in [*rest, "1", "1"][:2])).isoformat()
    except ValueError:
        message = f"--since {text!r} is not a day."
        raise UsageError(message, hint="write it as 2026-06-01, 2026-06 or 2026") from None


def _logged(commit: Commit) -> Logged:
    made = (value.split(" ", 1)[0] for value in commit.values("Reel-Memory"))
    lost = (parse_forgotten(value) for value in commit.values(FORGOT))
    return Logged(
        commit=commit.id,
        time=commit.time,
        op=commit.op,
        subject=commit.subject,
        session=next(iter(commit.values("Reel-Session")), None),
        memories=[name for name in made if MEMORY_ID.fullmatch(name)],
        forgot=[loss for loss in lost if loss is not None],
    )
