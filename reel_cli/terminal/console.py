"""Questions to the person at the terminal, on the screen that everything else is written to."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.terminal.plain_text import printable
from reel_cli.terminal.screen import Screen

if TYPE_CHECKING:
    from reel_cli.terminal.input.typed_line import TypedLine

HELP = ("?", "h", "help")
"""Words with which a person asks what the keys do."""
_NO = frozenset({"n", "no"})
_WORDS = {
    "v": ("view",), "c": ("check",), "e": ("edit",), "q": ("quit", "exit", "leave", "stop", "later"),
    "?": HELP,
}  # fmt: skip
"""Words that a person types for a key, whatever is printed beside it."""


def find_key(typed: str, keys: Mapping[str, str]) -> str:
    """Return the key that a typed line stands for, "" for none; `keys` come with the words beside them.

    A key is also typed as those words, or as their beginning where no other key's words begin so.
    """
    line = " ".join(typed.casefold().split()) if "\n" not in typed else ""
    if not line or line in keys:
        return line
    if (key := {"yes": "y", "no": "n"}.get(line, "")) in keys:
        return key
    told = {key: " ".join(label.casefold().split()) for key, label in keys.items()}
    # "e edits" is printed where the word is "edit"
    for word in filter(None, dict.fromkeys((line, line.removesuffix("s")))):
        same = [key for key, label in told.items() if label == word]
        found = same or [key for key, label in told.items() if re.match(rf"{re.escape(word)}\b", label)]
        if len(found) == 1:
            return found[0]
        for key, words in _WORDS.items():
            if word in words and key in keys:
                return key
    return ""


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


class Console(Screen):
    """The screen with a person before it, who can be asked."""

    pasted = False
    """True if a text was pasted where a line was asked for."""
    unsent = ""
    """The text of a line that Ctrl-C ended before Enter."""
    _ahead = ""

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
        """Ask yes or no; end of input is no, and so is q.

        After an answer that was not understood, Enter alone is no answer.
        """
        mark, refused = "[Y/n]" if default else "[y/N]", False
        asked = self._folded(f"{printable(question)} {mark}", self.err).removesuffix(mark)
        while True:
            self.drop_early()
            self._write(self.err, f"{self.accent(asked)}{mark} ")
            answer = self._read_line()
            if answer.ended:
                return False
            word = answer.text.strip().casefold()
            if word in ("y", "yes", "n", "no", "q", "quit"):
                return word.startswith("y")
            if not word and not refused:
                return default
            refused, mark = True, "[y/n]"
            if not self._refuses(answer):
                self.say("Please answer y or n.")

    def choose(
        self, question: str, keys: Sequence[str], default: str, meanings: Mapping[str, str] | None = None
    ) -> str:
        """Ask for one of a few short words; an empty answer is the default, end of input the last key.

        Where there is no default (""), or an answer was not understood, an empty one is told what each key
        does. `meanings` says what each does, for who types `?` or what is none of them; a key that only it
        has is understood, though not shown.
        """
        told = {**dict.fromkeys(keys, ""), **(meanings or {})}
        while True:
            shown = "/".join(k.upper() if k == default else k for k in keys)
            asked = self._folded(f"{printable(question)} [{shown}]", self.err).removesuffix(f"[{shown}]")
            self.drop_early()
            self._write(self.err, f"{self.accent(asked)}[{shown}] ")
            answer = self._read_line()
            if answer.ended:
                return keys[-1]
            if self._refuses(answer):
                default = ""
                continue
            word = answer.text.strip().casefold() or default
            # a "no" is never the beginning of another word, such as "none"
            among = _NO & told.keys() if word in _NO else keys
            found = [k for k in among if word and k.startswith(word)]
            if known := find_key(word, told) or (found[0] if len(found) == 1 else ""):
                return known
            if word and word not in HELP:
                default = ""
                leaves = "q" if "q" in keys else "Ctrl-C"
                self.say(self.wrap(tell_unknown(answer.text, leaves), self.err))
            for key, meaning in (meanings or {}).items():
                also = " (Enter does the same)" if key == default else ""
                self.say(f"  {key}  {meaning}{also}")
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
