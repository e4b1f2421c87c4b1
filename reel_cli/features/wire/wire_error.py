"""Errors of a server: why it did not answer, and the numbers where a chat is too long for its model."""

import re
from typing import Final

_MOST = 1 << 31
_NUMBER = r"[\d,]{1,12}"
_LIMIT, _SIZE = rf"(?P<limit>{_NUMBER})", rf"(?P<size>{_NUMBER})"
_WORDS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # OpenAI, vLLM, llama-cpp-python, and what LiteLLM passes on
        rf"maximum context length (?:is|of) {_LIMIT}(?:\D{{0,80}}{_SIZE} (?:input )?tokens)?",
        # llama.cpp's own server
        rf"\({_SIZE} tokens\) exceeds the available context size \({_LIMIT} tokens",
        # LM Studio, at once and in the middle of an answer
        rf"first {_SIZE} tokens when .{{0,80}}context length of only {_LIMIT} tokens",
        rf"reached context length of {_LIMIT} tokens",
        # TabbyAPI, and others with its words
        rf"length {_SIZE}.{{0,20}} is greater than max_seq_len {_LIMIT}",
        rf"\({_SIZE}\) must be less than max_seq_len \({_LIMIT}\)",
        # Anthropic and Gemini, behind LiteLLM
        rf"{_SIZE} tokens > {_LIMIT} maximum",
        rf"\({_SIZE}\) exceeds the maximum number of tokens allowed \({_LIMIT}\)",
    )
)


class WireError(Exception):
    """A server did not answer as it should; `why` ends a sentence: "because ...".

    `passing` says that another try may help, `wait` after how many seconds, by the server's own word; `came`
    is what came through before. `final` says that it answered far too much: another try would be as long.
    """

    def __init__(  # noqa: PLR0913 (what went wrong, and all that is told of it)
        self,
        why: str,
        *,
        hint: str = "",
        passing: bool = False,
        wait: float | None = None,
        status: int = 0,
        came: str = "",
        final: bool = False,
    ) -> None:
        """Keep what a person and the next try need to know."""
        super().__init__(why)
        self.why, self.hint, self.passing = why, hint, passing
        self.wait, self.status, self.came, self.final = wait, status, came, final


class TooLongError(WireError):
    """A chat has more tokens than its model takes at once: `limit`; `size` is the chat's (0: unsaid)."""

    def __init__(self, limit: int, size: int = 0, *, status: int = 0) -> None:
        """Say both numbers, and how the kit is packed for the limit."""
        has = f"{size:,}" if size > limit else "more"
        super().__init__(
            f"it takes {limit:,} tokens at once, and this has {has}",
            hint=f"load the model with a longer context, or pack for this one:  reel config window {limit}",
            status=status,
            final=True,
        )
        self.limit, self.size = limit, size


def find_too_long(told: str, *, status: int = 0) -> TooLongError | None:
    """Return the error that a server's words tell of; None if they tell of something else."""
    for words in _WORDS:
        found = words.search(told)
        if found is not None and (limit := _number(found["limit"])):
            size = found.groupdict().get("size")
            return TooLongError(limit, _number(size), status=status)
    return None


def _number(value: str | None) -> int:
    digits = (value or "").replace(",", "")
    number = int(digits) if digits.isascii() and digits.isdigit() else 0
    return number if number < _MOST else 0
