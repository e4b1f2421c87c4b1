"""The decision about files of the shelf that are cold: those that `reel shelf gc` would put away."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.features.shelf.collecting.kept_dry_run import tell_marks
from reel_cli.features.shelf.row import SHELF
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder, DecisionResult

if TYPE_CHECKING:
    from reel_cli.features.shelf.collecting.marks import Marks
    from reel_cli.terminal.open_kit import OpenKit

ITEM = "shelf gc"
PUT_AWAY = Choice("y", "put it away", "Put away")


def find_collectable(opened: "OpenKit") -> Sequence[Decision]:
    """Return the decision about all that can be put away; none where nothing can."""
    if opened.repository is None or not (opened.root / SHELF).is_dir():
        return ()
    from reel_cli.features.shelf.collecting.walk import CollectionOptions, mark

    marks = mark(opened, CollectionOptions(), quick=False)
    if not marks.marks:
        return ()
    told = tell_marks(marks)
    return [
        Decision(
            ITEM, "files on the shelf can be put away", told.why or "advised, or not used for long",
            _digest(marks), (PUT_AWAY,), lambda: [*told.lines, *told.said], _settle,
        )
    ]  # fmt: skip


def _digest(marks: "Marks") -> str:
    told = sorted((one.path, one.action) for one in marks.marks)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _settle(opened: "OpenKit", order: DecisionOrder) -> DecisionResult:
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.collecting.plan import plan_collection
    from reel_cli.features.shelf.collecting.walk import CollectionOptions, mark

    snapshot, repo = opened.snapshot, opened.require_repository()
    marks = mark(opened, CollectionOptions(), quick=False)
    counter = get_tokenizer(snapshot.settings.tokenizer)
    planned = plan_collection(snapshot, repo, counter, marks, now=opened.now())
    if planned is None:
        message = "Nothing on the shelf is to be put away any more."
        raise ReelError(message)
    return DecisionResult() if order.dry else DecisionResult(opened.commit(planned.change).commit)
