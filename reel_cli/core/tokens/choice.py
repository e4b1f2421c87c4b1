"""Tokenizer of a kit's setting: an encoding or a model's file, the margin, and where its data is kept."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.own_folders import cache_folder
from reel_cli.core.ports import bring

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer

WHOLE = 10_000
"""Unit of margins: hundredths of a percent."""
MOST_MARGIN = WHOLE
FILES = (".gguf", ".json")

_CHOICE = late(
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


_kits: list[Path] = []


def settle(kit: Path | None) -> None:
    """Set the kit to work on: results of reading model files are kept in it, and paths are relative to it."""
    _kits[:] = [] if kit is None else [kit]


def base() -> Path:
    """Return the folder to which relative paths refer: the kit at hand, else the working directory."""
    return _kits[0] if _kits else Path.cwd()


def caches() -> list[Path]:
    """Return folders to look for a kept encoding in, the first also to keep one in."""
    return [*(kit / ".reel" / "cache" / "tokenizers" for kit in _kits), cache_folder() / "tokenizers"]


class About(NamedTuple):
    """The facts about a model file beside its vocabulary.

    `path`, `size` and `mtime` (in nanoseconds) are the file's when it was read; `model` names the kind of
    its vocabulary there and `kind` here, `pre` its rules, `tokens` its size. `context` is the length the
    model was made for, 0 where it is not said; `template` names its chat template, where that is known.
    """

    path: str
    size: int
    mtime: int
    model: str
    kind: str
    pre: str
    tokens: int
    context: int = 0
    template: str = ""
    digest: str = ""


def add_margin(tokens: int, margin: int) -> int:
    """Return the tokens plus a margin in parts of `WHOLE`, rounded up."""
    return -(-tokens * (WHOLE + margin) // WHOLE)


class WithMargin:
    """An encoding whose counts are too small by at most a margin; each count has it in it."""

    additive = False

    def __init__(self, encoding: "Tokenizer", margin: int) -> None:
        """Add so much of `WHOLE` to each count."""
        self.name = str(Choice(encoding.name, margin=margin))
        self._encoding = encoding
        self._margin = margin

    def count(self, text: str) -> int:
        """Return the token count of `text`, with the margin."""
        return add_margin(self._encoding.count(text), self._margin)

    def ids(self, text: str) -> list[int]:
        """Return the tokens themselves, without the margin."""
        return self._encoding.ids(text)


def read_model_file(choice: Choice) -> "Tokenizer | None":
    """Return the tokenizer of a model's file; None where the choice is no file, or nothing here reads one.

    Raises ReelError for a file that is none to count by.
    """
    if choice.is_file:
        for load in bring("tokenizers"):
            found: Tokenizer = load(choice)
            return found
    return None
