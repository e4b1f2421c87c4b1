"""The last change, to take back, and the one that was taken back last, to do again."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.features.serve.browser_words import word_for_browser
from reel_cli.features.serve.chats import BACK
from reel_cli.features.serve.page_maker import REDO, UNDO, Reverse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.serve.reading import ServedKit


@frozen
class LastStep:
    """A change in words, and the button that takes it back or does it again."""

    what: str
    reverse: Reverse


def list_last_steps(kit: "ServedKit") -> "Sequence[LastStep]":
    """Return the change that can be taken back, and the one that can be done again, as far as any."""
    return [step for step in (_find_last_change(kit), _find_undone(kit)) if step is not None]


def _find_last_change(kit: "ServedKit") -> LastStep | None:
    """Return the change that can be taken back; None for none."""
    from reel_cli.features.history.undo import ChatStaysError, undo_last
    from reel_cli.features.history.undo_edit import plan_edit_undo

    opened = kit.opened
    try:
        # an edit by hand waits for a decision; without any that waits, the files need not be compared
        edit = plan_edit_undo(opened) if kit.reader.summary.waiting else None
        step = edit or undo_last(opened.require_repository(), opened.snapshot)
        return LastStep(
            word_for_browser(f"The last change: {step.what}."), replace(UNDO, what="") if edit else UNDO
        )
    except ChatStaysError as error:
        return LastStep(
            word_for_browser(error.message), replace(BACK, words="Set that chat aside", what=error.session)
        )
    except ReelError:
        return None


def _find_undone(kit: "ServedKit") -> LastStep | None:
    """Return the change that was taken back and can be done again; None for none."""
    from reel_cli.features.history.undo import redo_last
    from reel_cli.features.history.undo_edit import plan_edit_redo

    opened = kit.opened
    try:
        step = plan_edit_redo(opened) or redo_last(opened.require_repository(), opened.snapshot)
    except ReelError:
        return None
    return LastStep(word_for_browser(f"Taken back: {step.what}."), REDO)
