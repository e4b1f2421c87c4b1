"""What was done to a kit, change by change."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.kit.forgotten import FORGOT, Forgotten, parse_forgotten
from reel_cli.kit.git import Repository
from reel_cli.kit.hand_edits import BY_HAND
from reel_cli.kit.history import Commit, read_log
from reel_cli.model.memory import MEMORY_ID

IN_WORDS = {
    "init": "made",
    "record": "recorded",
    "checkpoint": "remembered",
    "consolidate": "remembered",
    "promote": "remembered",
    "exemplar": "exemplar",
    "tape": "tape",
    "review": "your word",
    "undo": "undone",
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
        """What was done, in a word or two."""
        return IN_WORDS.get(self.op, self.op) if self.op is not None else IN_WORDS[BY_HAND]

    @property
    def words(self) -> str:
        """What was done to what: the subject without its operation."""
        if self.op is None:
            return self.subject
        said = self.subject.removeprefix(f"{self.op}: ")
        if self.op == BY_HAND:
            return "what you had edited until then" if said == "by hand" else said.removesuffix(", by hand")
        return said.partition(": ")[2] or said if self.op == "undo" else said


def list_log(repo: Repository, limit: int | None = None, tip: str | None = None) -> Sequence[Logged]:
    """The changes of a kit, newest first, at most `limit`; `tip` (a full id) is the last to be told of."""
    return [_logged(commit) for commit in read_log(repo, limit=limit, tip=tip)]


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
