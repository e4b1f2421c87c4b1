"""Confirmation before something is deleted or sent: it is shown, and an empty line means no."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console


def agreed(console: "Console", told: str, question: str, what: str = "be let go") -> bool:
    """Return whether a person agrees to what is shown; if not, say that nothing was changed.

    Raises ReelError where nobody is here to say whether "this should `what`".
    """
    if not console.interactive:
        message = f"Nobody is here to say whether this should {what}."
        raise ReelError(message, hint="add --yes to let it go without a question, or --dry-run to look only")
    console.say(told)
    if console.confirm(question, default=False):
        return True
    console.say("Nothing was changed.")
    return False
