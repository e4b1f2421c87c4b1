"""Tokenizer setting of a kit, on one line."""

import os
import re
from typing import NamedTuple

WHOLE = 10_000
"""Unit of margins: hundredths of a percent."""
MOST_MARGIN = WHOLE
FILES = (".gguf", ".json")

_CHOICE = re.compile(
    r"(?P<what>.*?)(?: like (?P<like>[A-Za-z0-9][\w.-]*))?(?: \+(?P<margin>[0-9]{1,3}(?:\.[0-9]{1,2})?)%)?",
    re.ASCII | re.DOTALL,
)


class Choice(NamedTuple):
    """The tokenizer of a kit: an encoding's name, or a model's file.

    `like` are the rules to follow where the file's own are not known; `margin` is added, of `WHOLE`.
    """

    what: str
    like: str = ""
    margin: int = 0

    def __str__(self) -> str:
        like = f" like {self.like}" if self.like else ""
        return f"{self.what}{like}" + (f" +{render_margin(self.margin)}" if self.margin else "")

    @property
    def is_file(self) -> bool:
        """Return whether it names a file, and not an encoding."""
        return is_file(self.what)


def parse_choice(text: str) -> Choice:
    """Read a choice as it is kept: `o200k_base`, `~/models/x.gguf`, `~/models/x.gguf like llama-bpe +8%`."""
    found = _CHOICE.fullmatch(text)
    if found is None:
        return Choice(text)
    margin = round(float(found["margin"] or 0) * 100)
    return Choice(found["what"], found["like"] or "", min(margin, MOST_MARGIN))


def render_margin(margin: int) -> str:
    """Return a margin as people write it: `8%`, `2.5%`."""
    return f"{margin / 100:g}%"


def is_file(what: str) -> bool:
    """Return whether this names a file: by its extension, as an absolute path, or because it exists."""
    if what.lower().endswith(FILES) or what.startswith(("~", "/")) or os.path.isabs(what):  # noqa: PTH117
        return True
    return ("/" in what or os.sep in what) and os.path.isfile(what)  # noqa: PTH113
