"""An edit of one text of the kit by hand: whether it can be used, and what comes of it once it is saved."""

from enum import Enum
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


_SEVERAL = 3
"""Number of a bundle's headings from which a text is one."""


class EditOutcome(Enum):
    """The outcome of a saved edit."""

    SAVED = "saved"
    """There was nothing to commit."""
    KEPT = "kept"
    """It was committed."""
    WAITS = "waits"
    """It waits for a person's approval."""


def find_fault(
    opened: "OpenKit", path: str, data: bytes | None, before: bytes | None = None
) -> ReelError | None:
    """Return why a text cannot be used as it is, or ring 0 would not fit with it; None where it can.

    `before` is the text as it was.
    """
    from reel_cli.core.rings.lost_header import find_lost_header

    return (
        _find_damage(path, data)
        or find_lost_header(path, before, data)
        or find_bundle(path, data)
        or _find_emptiness(opened, path, data)
        or _find_overrun(opened, path, data)
    )


def find_bundle(path: str, data: bytes | None) -> ReelError | None:
    """Return that a text of who the persona is has the headings of a whole bundle; None where it has not."""
    from reel_cli.core.kit.snapshot import IDENTITY
    from reel_cli.core.pack import words

    if path != IDENTITY or data is None:
        return None
    own = {f"## {one}" for one in (words.WHO, words.HOW, words.VOICE, words.NOW, words.REMEMBER, words.TRUST)}
    lines = {line.strip() for line in data.decode("utf-8", "replace").splitlines()}
    if len(own & lines) < _SEVERAL:
        return None
    message = f"{path} holds a whole text that reel start made, with what is remembered and noted."
    return ReelError(message, hint=f"leave only what stands under  ## {words.WHO}")


def _find_emptiness(opened: "OpenKit", path: str, data: bytes | None) -> ReelError | None:
    """Return that nothing is left of who the persona is, which no approval would take; None elsewhere."""
    from reel_cli.core.files import front_matter
    from reel_cli.core.kit.snapshot import IDENTITY

    text = (data or b"").decode("utf-8", "replace")
    if path != IDENTITY or front_matter.split(text, path).body.strip():
        return None
    return ReelError(f"{path} is empty, and {opened.snapshot.settings.name} would be nobody in particular.")


def _find_damage(path: str, data: bytes | None) -> ReelError | None:
    from reel_cli.core.files.kit_files import check_file

    if data is None:
        return ReelError(f"{path} is gone.")
    try:
        check_file(path, data)
        if path == "kit.yaml":
            from reel_cli.features.settings.plan import check_settings

            check_settings(data.decode(), "")
    except ReelError as error:
        return error
    except UnicodeDecodeError:
        return ReelError(f"{path} is not UTF-8 text.")
    return None


def _find_overrun(opened: "OpenKit", path: str, data: bytes | None) -> ReelError | None:
    from reel_cli.core.pack.ring0_limit import require_change_fits
    from reel_cli.core.values.change import Change

    if opened.repository is None:
        return None
    try:
        require_change_fits(opened.snapshot, opened.repository, [Change("", "", {path: data})])
    except ReelError as error:
        return error
    return None


def settle_edit(opened: "OpenKit", path: str) -> EditOutcome:
    """Commit a saved edit where nobody has to approve it, and return what came of it."""
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.review.accept import plan_accept
    from reel_cli.features.review.open_decisions import list_waiting
    from reel_cli.features.review.proposals import Kind

    opened.look_again()
    if opened.repository is None:
        return EditOutcome.SAVED
    waiting = list_waiting(opened.snapshot, opened.repository)
    one = next((one for one in waiting if one.path == path), None)
    if one is None:
        return EditOutcome.SAVED
    if one.kind is not Kind.HAND:
        return EditOutcome.WAITS
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    today = opened.now().date().isoformat()
    change = plan_accept(
        opened.snapshot, opened.repository, [one], waiting, by="", today=today, tokenizer=tokenizer
    )
    opened.commit(change)
    return EditOutcome.KEPT
