"""The one place that writes to the screen: results to stdout, everything else to stderr."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any, TextIO

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.terminal.folding import columns, fold, fold_own
from reel_cli.terminal.plain_text import harmless, harmless_json, printable

if TYPE_CHECKING:
    from reel_cli.terminal.input.typed_line import TypedLine
    from reel_cli.terminal.progress_bar import ProgressBar

MOST_SEEN = 20_000
"""Maximum number of recent writes to the screen that are remembered."""
_WORDS = late(r"[^\W_]+")

HELP = ("?", "h", "help")
"""Words with which a person asks what the keys do."""
_NO = frozenset({"n", "no"})


def tell_unknown(answer: str, leaves: str = "q") -> str:
    """Return the sentence on an answer that is none of the keys; `leaves` is the one that goes back.

    A command of reel's is for the shell: it is not run, and its own errors would not help.
    """
    shown = one_line(answer, 40)
    if is_command(answer):
        # a command is not folded, so it stands last
        return (
            f"reel waits for an answer here, so this was not run ({leaves} goes back to the shell): “{shown}”"
        )
    return f"I did not understand “{shown}”."


def is_command(answer: str) -> bool:
    """Return whether a line is a command of reel's, as it is typed in a shell."""
    words = answer.strip().removeprefix("$ ").removeprefix("> ").split()
    return "\n" not in answer.strip() and len(words) > 1 and words[0] == "reel"


class Console:
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
        self.pasted = False
        """True if a text was pasted where a line was asked for."""
        self.unsent = ""
        """The text of a line that Ctrl-C ended before Enter."""
        self._ahead = ""
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

    def ask(
        self,
        question: str,
        default: str = "",
        *,
        block: bool = False,
        ahead: bool = False,
        meaning: str = "",
    ) -> str:
        """Ask for a line of text on the terminal; an empty answer is the default.

        With `block` a pasted text of several lines is an answer too; else it is refused whole, and the
        question asked again. With `ahead` it may have been typed before. `meaning` is said to a
        question mark. Raises EOFError at the end of input: nobody has answered.
        """
        shown = f" [{default}]" if default else ""
        while True:
            if not ahead:
                self.drop_early()
            self._write(self.err, self.accent(f"{self._folded(printable(question) + shown, self.err)} "))
            answer = self._read_line()
            if answer.ended:
                raise EOFError
            if meaning and answer.text.strip() == HELP[0]:
                self.say(meaning)
                continue
            if block or not self._refuses(answer):
                return answer.text.strip() or default

    def confirm(self, question: str, *, default: bool = True) -> bool:
        """Ask yes or no; end of input is no, and so is q."""
        mark = "[Y/n]" if default else "[y/N]"
        asked = self._folded(f"{printable(question)} {mark}", self.err).removesuffix(mark)
        while True:
            self.drop_early()
            self._write(self.err, f"{self.accent(asked)}{mark} ")
            answer = self._read_line()
            if answer.ended:
                return False
            if self._refuses(answer):
                continue
            word = answer.text.strip().casefold()
            if word in ("", "y", "yes", "n", "no", "q", "quit"):
                return default if not word else word.startswith("y")
            self.say("Please answer y or n.")

    def choose(
        self, question: str, keys: Sequence[str], default: str, meanings: Mapping[str, str] | None = None
    ) -> str:
        """Ask for one of a few short words; an empty answer is the default, end of input the last key.

        Where there is no default (""), an empty answer is told what each key does.
        `meanings` says what each does, for who types `?` or what is none of them; a key that only it has is
        understood, though not shown.
        """
        shown = "/".join(k.upper() if k == default else k for k in keys)
        asked = self._folded(f"{printable(question)} [{shown}]", self.err).removesuffix(f"[{shown}]")
        while True:
            self.drop_early()
            self._write(self.err, f"{self.accent(asked)}[{shown}] ")
            answer = self._read_line()
            if answer.ended:
                return keys[-1]
            if self._refuses(answer):
                continue
            word = answer.text.strip().casefold() or default
            # a "no" is never the beginning of another word, such as "none"
            among = _NO & {*keys, *(meanings or {})} if word in _NO else keys
            found = [k for k in among if word and k.startswith(word)]
            known = word in keys or word in (meanings or {})
            if known or len(found) == 1:
                return word if known else found[0]
            if word and word not in HELP:
                leaves = "q" if "q" in keys else "Ctrl-C"
                self.say(self.wrap(tell_unknown(answer.text, leaves), self.err))
            for key, meaning in (meanings or {}).items():
                self.say(f"  {key}  {meaning}")
            if not meanings:
                self.say(f"Please answer {', '.join(keys[:-1])} or {keys[-1]}.")

    def drop_early(self, before: str = "this question") -> None:
        """Throw away what was typed before a question stands there, for it was meant for something else.

        It would keep or delete something that nobody has read, or name a persona `cd ilse`. An Enter too many
        is not worth a word.
        """
        if not self.interactive:
            return
        from reel_cli.terminal.input.typed_line import discard_input

        early = f"{self._ahead}{discard_input(0)}"
        self._ahead = ""
        if early.strip(" \r\n\0\x04"):
            self.say(f"What you typed before {before} was not taken.")

    @contextmanager
    def typing(self) -> Iterator[Callable[[float | None], "TypedLine | None"]]:
        """Yield a function that returns the line a person types; None where none comes in so many seconds.

        What is typed of a line stays for the next call. Where it ends, it stays on the screen, and so does a
        live line before it.
        """
        from reel_cli.terminal.input.typed_line import is_typed_within, read_plain_line, typed_lines

        self.err.flush()
        self.answered = True
        with typed_lines(self._show_typed, self._ahead) as typed:

            def wait(seconds: float | None) -> "TypedLine | None":
                line = None
                if typed is not None:
                    line = typed.wait(seconds)
                elif seconds is None or is_typed_within(seconds):
                    line = read_plain_line(self._show_typed)
                if line is not None:
                    self._live = ""
                if line is not None and line.ended:
                    self._write(self.err, "\n")
                return line

            try:
                yield wait
            except KeyboardInterrupt:
                self.unsent = typed.text if typed is not None else ""
                raise
            finally:
                if typed is not None:
                    self._ahead, self.pasted = typed.ahead, self.pasted or typed.pasted

    def _read_line(self) -> "TypedLine":
        """Return one line from the terminal, or a text that was pasted there."""
        with self.typing() as wait:
            while (line := wait(None)) is None:
                pass
        return line

    def _refuses(self, answer: "TypedLine") -> bool:
        """Say that a pasted text of several lines answers no question that has a short answer."""
        if not answer.is_block:
            return False
        from reel_cli.terminal.input.typed_line import count_pasted

        self.say(f"A short answer is asked for here. The {count_pasted(answer.text)} were not taken.")
        return True

    def _show_typed(self, text: str) -> None:
        """Show what is being typed, which the terminal does not do by itself meanwhile."""
        with suppress(UnicodeEncodeError):
            self.err.write(text)
            self.err.flush()

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


def agreed(
    console: "Console", told: str, question: str, what: str = "be let go", *, default: bool = False
) -> bool:
    """Return whether a person agrees to what is shown; if not, say that nothing was changed.

    Raises ReelError where nobody is here to say whether "this should `what`".
    """
    if not console.interactive:
        message = f"Nothing was changed: without a terminal, reel cannot ask whether this should {what}."
        raise ReelError(message, hint="add --yes to do it without a question, or --dry-run to only look")
    console.say(told)
    if console.confirm(question, default=default):
        return True
    console.say("Nothing was changed.")
    return False
