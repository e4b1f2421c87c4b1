"""The one place that writes to the screen: results to stdout, everything else to stderr."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any, TextIO

from reel_cli.core.frozen import late
from reel_cli.terminal.folding import columns, fold, fold_own
from reel_cli.terminal.plain_text import harmless, harmless_json, printable

if TYPE_CHECKING:
    from reel_cli.terminal.progress_bar import ProgressBar

MOST_SEEN = 20_000
"""Maximum number of recent writes to the screen that are remembered."""
_WORDS = late(r"[^\W_]+")


class Screen:
    """Plain when piped; on a terminal with at most one accent colour."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        """Write results to `out` and notices to `err`."""
        # a stream that was closed before reel started is None
        self.out = out or sys.stdout or StringIO()
        self.err = err or sys.stderr or StringIO()
        self._bar: ProgressBar | None = None
        self._live = ""
        self._unattended = self._muted = False
        self._held: list[str] | None = None
        self._seen: list[str] = []
        self.steps: Callable[[str], str] = str
        """Makes the commands in a text of reel's own work from where the person is."""
        self.answered = False
        """True if a result was written, or the person was asked something."""

    @property
    def interactive(self) -> bool:
        """Return whether a person can be asked: they type at a terminal and see the questions."""
        return not self._unattended and sys.stdin is not None and sys.stdin.isatty() and self.err.isatty()

    @contextmanager
    def unattended(self, *, mute: bool = False) -> Iterator[None]:
        """Ask nobody anything meanwhile, as where no person is there; with `mute`, nothing is shown either.

        The line that says what is going on is.
        """
        self._unattended, self._muted = True, mute
        try:
            yield
        finally:
            self._unattended = self._muted = False

    @property
    def seen(self) -> str:
        """Return all that stands on the person's screen since the command began."""
        return "".join(self._seen)

    def coloured(self, stream: TextIO) -> bool:
        """Return whether this stream takes colour."""
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def result(  # noqa: PLR0913 (a text, and how it is shown)
        self,
        text: str,
        *,
        verbatim: bool = False,
        whole: bool = False,
        prose: bool = False,
        steps: bool = False,
        strong: Callable[[str], bool] | None = None,
    ) -> None:
        """Write a result with a newline at its end; no control character in it reaches the reader.

        With `verbatim`, for a file that was asked for as it is, what is piped keeps every character. With
        `whole`, for text to be copied from the screen, lines are not folded; in `prose`, which is no text of
        reel's own, commands are folded as other words. With `steps`, for reel's
        own words, their commands are shown as they work from here. Words that are `strong` are bold where
        the terminal takes colour.
        """
        text = self.steps(text) if steps else text
        if self.out.isatty():
            shown = printable(text)
            shown = shown if verbatim or whole else self._folded(shown, self.out, prose=prose)
            if strong is not None and self.coloured(self.out):
                shown = _WORDS.sub(
                    lambda word: f"\x1b[1m{word[0]}\x1b[22m" if strong(word[0]) else word[0], shown
                )
        else:
            shown = text if verbatim else harmless(text)
        self._write(self.out, shown if shown.endswith("\n") else shown + "\n")

    @property
    def sends_results(self) -> bool:
        """True where a person reads the notices and the results go to a file or a program."""
        return self.err.isatty() and not self.out.isatty()

    def show_to_paste(self, text: str) -> None:
        """Write a text to copy by hand, and beside it, not in what is piped, a line that it ends there."""
        self.result(text, whole=True)
        if not self.sends_results:
            self.say("(Here the text to paste ends.)")

    def write_part(self, text: str) -> None:
        """Write a part of a result that is still being made, to be seen at once; it must be harmless."""
        self._write(self.out, text)
        self.out.flush()

    def result_json(self, value: Any) -> None:  # noqa: ANN401
        """Write one JSON object or list, on stdout."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        if self.out.isatty():
            text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
        else:
            text = harmless_json(text)
        if self._held is None:
            self._write(self.out, text + "\n")
        else:
            self._held.append(text + "\n")

    @contextmanager
    def hold_json(self) -> Iterator[list[str]]:
        """Delay JSON output until it is known whether it is the last word."""
        held: list[str] = []
        self._held = held
        try:
            yield held
        finally:
            self._held = None

    def say(self, text: str = "") -> None:
        """Write a notice to stderr."""
        self._write(self.err, self._folded(printable(self.steps(text)), self.err) + "\n")

    def next_step(self, text: str) -> None:
        """Show the likely next step, in one line."""
        self.say(text)

    def accent(self, text: str, stream: TextIO | None = None) -> str:
        """Return the text in the accent colour, if the stream takes colour."""
        return f"\x1b[36m{text}\x1b[0m" if self.coloured(stream or self.err) else text

    def heading(self, text: str, stream: TextIO | None = None) -> None:
        """Write one line in the accent colour, to stderr where no stream is given."""
        place = stream or self.err
        self._write(place, self.accent(printable(text), place) + "\n")

    def wrap(self, text: str, stream: TextIO, indent: str = "", hang: str = "") -> str:
        """Return the text indented, and folded if the stream is a terminal too narrow for it.

        Lines after the first have `hang` behind their indent.
        """
        return fold(text, columns(stream), indent, hang) if stream.isatty() else f"{indent}{text}"

    def _folded(self, text: str, stream: TextIO, *, prose: bool = False) -> str:
        """Return lines folded, each below its own beginning."""
        if not stream.isatty():
            return text
        width = columns(stream)
        return "\n".join(fold_own(line, width, prose=prose) for line in text.split("\n"))

    def error(self, message: str, hint: str | None) -> None:
        """Write the one error line, and the hint line where there is a mend."""
        line = " ".join(printable(message).split())
        told = self.wrap(f"Error: {line}", self.err) + "\n"
        if hint:
            told += self.wrap(f"Hint: {printable(self.steps(hint))}", self.err) + "\n"
        # at once: where there is no memory left to make the hint, the error is told another way, and once
        self._write(self.err, told)

    def table(
        self, header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()
    ) -> str:
        """Return rows aligned in columns; those in `right` (0-based) to the right."""
        from reel_cli.terminal.rows import align

        return "\n".join(align(header, rows, right=right))

    def listing(self, rows: Sequence[Sequence[str]], lead: int, *, right: Sequence[int] = ()) -> str:
        """Return rows in columns; on a narrow terminal, the columns after the first `lead` stand below.

        Of those that still have no room, more stand below.
        """
        from reel_cli.terminal.rows import align, align_within

        if not self.out.isatty():
            return "\n".join(align((), rows, right=right))
        return "\n".join(align_within(rows, lead, columns(self.out), right=right))

    @contextmanager
    def progress(self, what: str, total: float) -> Iterator[Callable[[float], None]]:
        """Show on a terminal how far something is that takes a while; piped, nothing is shown.

        Yields a function to be told how many of `total` are done since it was last called. What is
        written meanwhile stands above the bar; the bar is gone at the end.
        """
        if not self.err.isatty() or os.environ.get("TERM") == "dumb":
            yield lambda _done: None
            return
        from reel_cli.terminal.progress_bar import ProgressBar

        bar = self._bar = ProgressBar(self.err, what, total)
        try:
            yield bar.advance
        finally:
            bar.stop()
            self._bar = None

    @contextmanager
    def counting(self, what: str) -> Iterator[Callable[[int, int], None]]:
        """Yield a function to be told how many of how many are done, as often as something is counted anew.

        What is quick is not shown.
        """
        with ExitStack() as stack:
            advance: Callable[[float], None] | None = None
            seen = 0

            def count(done: int, total: int) -> None:
                nonlocal advance, seen
                if advance is None:
                    advance, seen = stack.enter_context(self.progress(what, total)), 0
                advance(done - seen)
                seen = done
                if done >= total:
                    stack.close()
                    advance = None

            yield count

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show on a terminal what is done meanwhile, if it takes long enough to wonder; gone at the end."""
        if not self.redraws:
            yield
            return
        from threading import Timer

        from reel_cli.terminal import progress_bar

        later = Timer(progress_bar.WORTH_SHOWING, self.live, [f"{what} …"])
        later.daemon = True
        later.start()
        try:
            yield
        finally:
            later.cancel()
            later.join()
            self.settle_live()

    @property
    def redraws(self) -> bool:
        """Return whether a line may be overwritten: notices go to a terminal that supports it."""
        return self.err.isatty() and os.environ.get("TERM") != "dumb"

    def live(self, text: str) -> None:
        """Keep one line at the bottom of the terminal up to date; what is written later takes its place."""
        cut = printable(text)[: columns(self.err) - 1]
        if cut != self._live:
            self._write(self.err, cut, always=True)
            self._live = cut
            self.err.flush()

    def release(self, held: Sequence[str]) -> None:
        """Answer what was held back."""
        for text in held:
            self._write(self.out, text)

    def settle_live(self) -> None:
        """Remove the line that was kept up to date."""
        if self._live:
            self._write(self.err, "")
            self.err.flush()

    def flush(self) -> None:
        """Push everything out, so that a closed pipe shows here and not at exit."""
        self.out.flush()

    def _write(self, stream: TextIO, text: str, *, always: bool = False) -> None:
        if self._muted and not always:
            text = ""
        if stream.isatty():
            self._seen.append(text)
            del self._seen[:-MOST_SEEN]
        self.answered = self.answered or (stream is self.out and bool(text))
        if stream is self.err:
            # piped, results wait in a buffer, and notices would overtake them; a closed pipe shows at the end
            with suppress(OSError):
                self.out.flush()
        if self._bar is not None:
            self._bar.make_room()
        if self._live:
            self._live = ""
            self.err.write("\r\x1b[K")
        try:
            stream.write(text)
        except UnicodeEncodeError:
            encoding = stream.encoding or "ascii"
            stream.write(text.encode(encoding, "replace").decode(encoding))
