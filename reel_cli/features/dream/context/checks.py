"""Checks of `SHARED-CONTEXT.md`, which should be short and have its five parts."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.events_file import has_marks
from reel_cli.features.dream.context.files import CONTEXT, HEADINGS
from reel_cli.features.dream.context.shared_context import MOST_CHARACTERS, MOST_LINES
from reel_cli.features.dream.context.state import read_shared

_MEND = "reel dream context"


def look_at_context(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield findings for a file that is too long, or lacks a part; nothing if there is no file."""
    try:
        context = read_shared(snapshot)
    except ReelError as error:
        yield Finding("context", error.message.rstrip("."), error.hint or "", hint_only=True, at=CONTEXT)
        return
    if context is None:
        return
    if has_marks(snapshot.read(CONTEXT) or b""):
        what = f"{CONTEXT} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
        yield Finding(
            "context",
            what,
            "edit the file: keep the right text, and delete the lines with the marks",
            at=CONTEXT,
        )
        return
    if context.lines > MOST_LINES:
        what = f"{CONTEXT} has {context.lines:,} lines, but should have under fifty, to be read at a glance"
        yield Finding("context", what, f"shorten it, or  {_MEND}", hint_only=True, at=CONTEXT)
    elif context.characters > MOST_CHARACTERS:
        what = f"{CONTEXT} has {context.characters:,} characters, but should have {MOST_CHARACTERS:,} at most"
        yield Finding("context", what, f"shorten it, or  {_MEND}", hint_only=True, at=CONTEXT)
    if context.missing:
        lacking = ", ".join(f"“{HEADINGS[key]}”" for key in context.missing)
        yield Finding("context", f"{CONTEXT} lacks {lacking}", _MEND, hint_only=True, at=CONTEXT)


CHECKS = (Check(lambda scope: look_at_context(scope.snapshot), 80),)
