"""A tokenizer from a model's own file: read once, and taken from what was kept until the file changes."""

import re
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.choice import About, Choice, add_margin, base, caches, render_margin
from reel_cli.features.models.kept_file import (
    BYTES,
    COUNTED,
    VERSION,
    StoredEncoding,
    keep,
    read_kept,
    render_kept,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.features.models.gguf import Value
    from reel_cli.features.models.vocabulary import Words

GEMMA = "gemma4"
DEFAULT = "default"
LONGEST_NAME = 60
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_REMOTE = re.compile(r"[\\/]{2}")


class LoadedModel(NamedTuple):
    """A kept encoding, and what a person should know of it: that its file is gone, say."""

    kept: StoredEncoding
    told: str = ""


class FileTokenizer:
    """Counts by a model's file, with the margin that was chosen.

    `key` changes whenever the counts may; `about` is what the file says of its model, where it does; `told`
    is what a person should know of it ("" for nothing), that the file is gone, say.
    """

    def __init__(
        self, choice: Choice, key: str, encoding: "Callable[[], Tokenizer]", about: About | None = None
    ) -> None:
        """Count by this encoding, which is made when it first counts."""
        self.name = str(choice)
        self.key = f"{self.name}#{key}/{VERSION}.{COUNTED}"
        self.about = about
        self.told = ""
        self.margin = choice.margin
        self._make = encoding

    @cached_property
    def _encoding(self) -> "Tokenizer":
        return self._make()

    @property
    def additive(self) -> bool:
        """Return whether counts of units add up; with a margin each is rounded up, and they do not."""
        return self._encoding.additive and not self.margin

    def count(self, text: str) -> int:
        """Return the token count of `text`, with the margin."""
        return add_margin(self._encoding.count(text), self.margin)

    def ids(self, text: str) -> list[int]:
        """Return the tokens themselves, without a margin."""
        return self._encoding.ids(text)


def load_file(choice: Choice) -> FileTokenizer:
    """Return the tokenizer of a file, whether a model's or a tokenizer.json.

    Raises ReelError where the file is none that reel can count by, or its rules are not known and the choice
    names none that they are like.
    """
    if choice.what.lower().endswith(".json"):
        return _load_json(choice)
    loaded = load_kept(choice.what)
    known = _made.get(choice)
    if known is None or known[0] is not loaded:
        _check_rules(choice, loaded.kept)
        known = _made[choice] = loaded, _make(choice, loaded)
    return known[1]


_made: dict[Choice, tuple[LoadedModel, FileTokenizer]] = {}
"""The tokenizers made so far, each with what it was made of; one that has loaded its tokens is dear."""


def _make(choice: Choice, loaded: LoadedModel) -> FileTokenizer:
    about = loaded.kept.about
    tokenizer = FileTokenizer(choice, about.digest, lambda: _encoding(choice, loaded.kept), about)
    tokenizer.told = loaded.told
    return tokenizer


def _load_json(choice: Choice) -> FileTokenizer:
    from reel_cli.features.models.hugging_face import load_tokenizer_json

    if choice.like:
        message = f"{choice.what} has its own rules, so --like does not go with it."
        raise ReelError(message, hint="leave out  like")
    found = load_tokenizer_json(find_path(choice.what))
    return FileTokenizer(choice, found.digest, lambda: found)


def _check_rules(choice: Choice, kept: StoredEncoding) -> None:
    """Refuse rules that are not known."""
    from reel_cli.features.models.rules import RULES, find_rules

    if choice.like and find_rules(choice.like) is None:
        message = f"There are no rules called {choice.like!r} to be like."
        raise ReelError(message, hint=f"the ones there are: {', '.join(RULES)}")
    if kept.about.kind == BYTES and find_rules(choice.like or kept.about.pre or DEFAULT) is None:
        raise _unknown_rules(kept)


def _encoding(choice: Choice, kept: StoredEncoding) -> "Tokenizer":
    from reel_cli.features.models.encodings import ByteEncoding, CharacterEncoding
    from reel_cli.features.models.rules import RULES, find_rules

    about, vocabulary = kept
    name = Path(about.path).name
    if about.kind != BYTES:
        return CharacterEncoding(name, vocabulary, RULES[GEMMA] if about.model == GEMMA else None)
    return ByteEncoding(name, vocabulary, find_rules(choice.like or about.pre) or RULES[DEFAULT])


def _unknown_rules(kept: StoredEncoding) -> ReelError:
    from reel_cli.features.models.nearest import find_nearest

    about = kept.about
    nearest = find_nearest(kept.vocabulary)
    rules = repr(about.pre[:LONGEST_NAME])
    message = (
        f"{Path(about.path).name} splits text by rules called {rules}, which reel does not know; the nearest "
        f"it knows are {nearest.name!r}, with a safety margin of {render_margin(nearest.margin)}."
    )
    choose = f"--like {nearest.name} --margin {render_margin(nearest.margin)}"
    return ReelError(
        message,
        hint=f"if that will do (for a kit, with reel model set), say so:  {choose}",
    )


@cache
def _kept_once(path: Path, stamp: tuple[int, int] | None, folders: tuple[Path, ...]) -> LoadedModel:
    """Return the vocabulary of a model file as it is on disk; `folders` are where it may be kept."""
    name = f"{_UNSAFE.sub('-', path.stem)[:60]}-{crc32(str(path).encode('utf-8', 'surrogatepass')):08x}.ranks"
    known = _find_kept(folders, name)
    if known is not None and stamp == (known.about.size, known.about.mtime):
        return LoadedModel(known)
    if known is not None and stamp is None:
        return LoadedModel(known, f"{path} is gone; tokens are counted with what reel kept of it.")
    try:
        data = _read_model(path, stamp or (0, 0))
    except ReelError as error:
        if known is None:
            raise
        return LoadedModel(known, f"{error.message} Tokens are counted with what reel kept of it.")
    for folder in folders:
        if (place := keep(folder, name, data)) and (kept := read_kept(place)):
            return LoadedModel(kept)
    import tempfile

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as passing:
        place = keep(Path(passing) / "reel" / "tokenizers", name, data)
        if place and (kept := read_kept(place)):
            return LoadedModel(kept)
    message = "What was read from the model's file cannot be stored."
    raise ReelError(message, hint="make some room on the disk")


def _find_kept(folders: tuple[Path, ...], name: str) -> StoredEncoding | None:
    """Return what was kept in one of these folders, and copy it to the first, so that it moves with a kit."""
    for folder in folders:
        kept = read_kept(folder / name)
        if kept is None:
            continue
        if folder != folders[0]:
            with suppress(OSError):
                keep(folders[0], name, (folder / name).read_bytes())
        return kept
    return None


def load_kept(what: str) -> LoadedModel:
    """Return the vocabulary of the model file that a choice names, read again if the file changed."""
    path = find_path(what)
    try:
        found = path.stat()
        stamp = found.st_size, found.st_mtime_ns
    except OSError:
        stamp = None
    return _kept_once(path, stamp, tuple(caches()))


def find_path(what: str) -> Path:
    """Return the file a choice names, as a full path; raises ReelError if it is on another machine."""
    if _REMOTE.match(what):
        message = f"{what} is on another machine; reel reads model files only from this one."
        raise ReelError(message, hint="copy the file here")
    try:
        return base() / Path(what).expanduser()
    except (RuntimeError, ValueError):
        message = f"{what!r} is not a path."
        raise ReelError(message) from None


def _read_model(path: Path, stamp: tuple[int, int]) -> bytes:
    """Return a model's file, in the form in which it is kept."""
    from reel_cli.core.tokens.chat_templates import recognise
    from reel_cli.features.models.gguf import read_header
    from reel_cli.features.models.vocabulary import make_table

    header = read_header(path)
    try:
        words = read_words(header)
        table = make_table(words)
    except ReelError as error:
        message = f"{path.name} cannot be counted by. {error.message}"
        raise ReelError(message, hint=error.hint or _OTHERWISE) from None
    about = About(
        str(path),
        *stamp,
        model=words.model,
        kind=table.kind,
        pre=_text(header, "tokenizer.ggml.pre"),
        tokens=len(words.tokens),
        context=_number(header, f"{_text(header, 'general.architecture')}.context_length"),
        template=recognise(_text(header, "tokenizer.chat_template")),
    )
    # these hold the whole file's content, which is not needed any more
    del header, words
    return render_kept(about, table)


_OTHERWISE = "count by another encoding, with a margin:  --tokenizer o200k_base --margin 15%"


def read_words(header: "Mapping[str, Value]") -> "Words":
    """Return the vocabulary in a model file's header, its kind and lists unchanged.

    Raises ReelError where it is larger than any model's.
    """
    from reel_cli.features.models.gguf import Numbers, Texts
    from reel_cli.features.models.vocabulary import MOST_TOKENS, Words

    def texts(name: str) -> Texts | tuple[()]:
        value = header.get(name)
        return value if isinstance(value, Texts) else ()

    tokens = texts("tokenizer.ggml.tokens")
    if len(tokens) > MOST_TOKENS:
        message = f"It announces a vocabulary of {len(tokens):,} tokens, more than any model has."
        raise ReelError(message)

    def numbers(name: str) -> "Sequence[float]":
        value = header.get(name)
        return value.read(len(tokens)) if isinstance(value, Numbers) else ()

    prefix = header.get("tokenizer.ggml.add_space_prefix")
    return Words(
        model=_text(header, "tokenizer.ggml.model"),
        tokens=list(tokens),
        types=numbers("tokenizer.ggml.token_type"),
        scores=numbers("tokenizer.ggml.scores"),
        merges=texts("tokenizer.ggml.merges"),
        prefix=bool(prefix) if isinstance(prefix, int) else None,
    )


def _text(header: "Mapping[str, Value]", name: str) -> str:
    value = header.get(name)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _number(header: "Mapping[str, Value]", name: str) -> int:
    value = header.get(name)
    return value if isinstance(value, int) else 0
