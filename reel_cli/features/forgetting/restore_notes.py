"""Notes that were let go come back, their words as they were (REEL §4.3, §6.5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files import working_file
from reel_cli.core.files.commit_message import CLOSED, NOTE
from reel_cli.core.git.history import Commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.rings.losses import RESTORE, Loss, is_shallow, shallow_problem, tree_before
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import Item
from reel_cli.features.fading.plan_tidying import REASON
from reel_cli.features.forgetting.plan_restore import Back, RestorePlan, losses_of


@dataclass(frozen=True, slots=True)
class _DroppedNote:
    """A note that was let go: where history has it, and its lines there, word for word."""

    loss: Loss
    item: Item
    lines: Sequence[str]


def plan_restore_notes(
    snapshot: Snapshot, repo: Repository, counter: Counter, commits: Sequence[Commit]
) -> RestorePlan:
    """Plan to restore deleted notes that are not there any more, each at its section's end.

    `commits` are the kit's, newest first. Raises ReelError where none is missing, and StateError where
    history does not hold what was noted of one.
    """
    losses = [loss for loss in losses_of(snapshot, repo, commits) if loss.forgot.id == WORKING]
    text = snapshot.text(WORKING) or ""
    there = {fold(item.text) for item in working_file.read_items(text)}
    gone: list[_DroppedNote] = []
    standing = [loss for loss in reversed(losses) if loss.back is None and loss.forgot.after == CLOSED]
    for one in _find(repo, standing):
        if fold(one.item.text) not in there:
            gone.append(one)
            there.add(fold(one.item.text))
    if not gone:
        if is_shallow(repo):
            raise shallow_problem()
        message = "No note that was let go is missing."
        raise ReelError(message, hint="to see what was let go:  reel log --forgotten")
    fresh = working_file.put_back(text, [(one.item.section, one.lines) for one in gone])
    items = [
        Back(
            *(WORKING, one.item.text, CLOSED, NOTE, 0, counter.count(one.item.text)),
            *(one.loss.commit, one.loss.forgot.was),
        )
        for one in gone
    ]
    size = sum(item.tokens_after for item in items)
    trailers = (("Reel-Memory", f"{WORKING} {NOTE} {size}"), ("Reel-Tokenizer", counter.name))
    what = "a note" if len(gone) == 1 else f"{len(gone):,} notes"
    befores = dict.fromkeys(one.loss.commit[:12] for one in gone)
    notes = tuple(f"{WORKING} as it was before {commit}" for commit in befores)
    change = Change(RESTORE, f"brought back {what}", {WORKING: fresh.encode()}, trailers, notes)
    return RestorePlan(change, items)


def _find(repo: Repository, losses: Sequence[Loss]) -> Iterator[_DroppedNote]:
    """Yield each note as it stood before the commit that dropped it; raises StateError if it did not."""
    texts: dict[str, str] = {}
    for loss in losses:
        if loss.commit not in texts:
            texts[loss.commit] = _text_before(repo, loss)
        body = working_file.read_body(texts[loss.commit])
        items = working_file.read_items(texts[loss.commit])
        found = next((i for i in items if one_line(i.text, REASON) == loss.forgot.reason), None)
        if found is None:
            raise _another(loss)
        yield _DroppedNote(loss, found, body.splitlines()[slice(*found.lines)])


def _text_before(repo: Repository, loss: Loss) -> str:
    with tree_before(repo, loss.commit) as then:
        data = then.read(WORKING)
        if data is None or (loss.forgot.was and then.ids.get(WORKING) != loss.forgot.was):
            raise _another(loss)
    return data.decode("utf-8", "replace")


def _another(loss: Loss) -> StateError:
    return StateError(
        "The history has other notes than those noted when they were let go; nothing was changed.",
        hint=f"see it with  git show {loss.commit[:7]}",
    )
