"""Replies that are no page, or half of one, from `tests/fixtures/failed_replies.txt`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[1] / "fixtures" / "failed_replies.txt"
ALIKE = FILE.with_name("pages_like_refusals.txt")
_ORDER = re.compile(r"(?m)^@(prompt|quoted|first|hints|repeat|words|numbered)\b ?(.*)\n?")


@dataclass(frozen=True, slots=True)
class FailedReply:
    """One reply: its name, what it is, and its text as written down."""

    name: str
    what: str
    text: str

    def reply(self, prompt: str) -> str:
        """The whole reply to this prompt."""
        found = _ORDER.search(self.text)
        if found is None:
            return self.text
        before, after = self.text[: found.start()], self.text[found.end() :]
        return before + "".join(_written(found[1], found[2], prompt, after))


def _written(order: str, told: str, prompt: str, after: str) -> Iterator[str]:
    number, _, words = told.partition(" ")
    lines = prompt.split("\n")
    if order == "prompt":
        yield prompt
    elif order == "quoted":
        yield "\n".join(f"> {line}" for line in lines)
    elif order == "first":
        yield "\n".join(lines[: int(number)])
    elif order == "hints":
        yield "\n\n".join(re.findall(r"(?m)^## .+\n(.+)$", prompt)[:8])
    elif order == "repeat":
        after *= int(number)
    elif order == "words":
        yield f"{words} " * int(number)
    elif order == "numbered":
        yield "".join(f"{n}. {words}\n" for n in range(1, int(number)))
    yield after


def failed_replies(file: Path = FILE) -> Sequence[FailedReply]:
    """Every reply of the file; those of `ALIKE` are pages."""
    parts = re.split(r"(?m)^%%%% ", file.read_text(encoding="utf-8"))[1:]
    found = []
    for part in parts:
        head, _, text = part.partition("\n")
        name, what = head.split()
        found.append(FailedReply(name, what, text))
    return found
