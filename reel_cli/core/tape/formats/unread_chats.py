"""Count of the conversations in which no message could be read, and why, where they are not simply empty."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import mutable
from reel_cli.core.tape.formats.times import ZONELESS
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

_LONGEST_TITLE = 60


@mutable
class UnreadChats:
    """Conversations without a said message; `odd` of them hold something that the reader could not read."""

    count: int = 0
    odd: int = 0
    first: str = ""
    """The first of the odd ones, and the reader's reason."""

    def add(self, conversation: Conversation) -> None:
        """Count a conversation in which nothing was said."""
        self.count += 1
        title = one_line(conversation.title or "", _LONGEST_TITLE)
        self._add_reasons(conversation.problems, f"“{title}”: " if title else "")

    def add_entries(self, reasons: Sequence[str]) -> None:
        """Count a file whose entries were no conversations, for these reasons."""
        self.count += bool(reasons)
        self._add_reasons(reasons, "")

    def _add_reasons(self, reasons: Sequence[str], named: str) -> None:
        told = next((reason for reason in reasons if not reason.startswith(ZONELESS)), None)
        if told is not None:
            self.odd += 1
            self.first = self.first or named + told

    def error(self, name: str, *, alone: bool = True) -> ReelError:
        """Return the error for a source with nothing else in it: a file `alone`, a folder or an archive."""
        nothing = f"{name} has no message in it" if alone else f"{name} holds no message"
        if not self.odd:
            return ReelError(f"{nothing}.", hint="record the chat once something has been said in it")
        message = f"{nothing} that reel can read: {self.first}."
        if self.count > 1:
            message = (
                f"{nothing} that reel can read, in {self.count:,} conversations. The first: {self.first}."
            )
        return ReelError(message, hint="copy the chat from its window and paste it:  reel record -")

    def remark(self) -> str:
        """Return the line about those that were left out beside others that were read."""
        one = "1 conversation without a message was" if self.count == 1 else ""
        line = f"{one or f'{self.count:,} conversations without a message were'} left out"
        if not self.odd:
            return f"{line}."
        some = "" if self.count == 1 else f"{self.odd:,} because it could not be read, the first: "
        return f"{line}: {some}{self.first}."
