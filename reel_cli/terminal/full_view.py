"""Show before the question whatever a yes would keep and the screen does not show yet."""

import re
from collections import Counter
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import parse_line
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.files.working_file import without_day
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.ports import bring_proposal_kind
from reel_cli.core.values.change import capital, one_line
from reel_cli.core.values.memory import FIELDS, PAST_STATES, PROTOCOL_TAGS
from reel_cli.features.page.calibration import EARLIER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reel_cli.core.files.yaml_text import Plain
    from reel_cli.core.kit.proposal_kind import ProposalInWords, ProposalKind
    from reel_cli.core.values.change import Change
    from reel_cli.terminal.open_kit import OpenKit

NOTED = ("journal/", "tape/", "story/cursor.yaml")
"""Paths of reel's own notes, and of the chat itself, which was recorded as it was."""
PAGES = "checkpoints/"
"""Folder of the replies as written, as evidence: no bundle holds them, and all made of them is shown."""
_PLACES = {
    "ring0/": "Who it is",
    "ring1/": "How it sounds",
    "ring2/": "Where things stand",
    "ring3/": "In the memory",
    "ring4/": "To recall by",
    "review/": "For you to decide, in full",
    "facts": "Facts, in full",
    "intake.yaml": "What was said, and why it is kept or not",
    "story": "The story",
}
_JOINED = re.compile(r': (?="|[^"]{1,80} said$)|^[^":]{1,80} words, kept because: ')
"""Pattern of the places where reel joins a memory's title to its phrase, or to its speaker; and its words
before a reason."""
_OF_ITSELF = re.compile(r": you said$")
"""Pattern of the end of an index line with the persona's own words, told to the persona."""
_MARK = re.compile(r"<!-- dream: \{.*\} -->")
"""Reel's note in the story of what a chapter was made of."""
_SPEAKER = re.compile(r"^\*\*([^*]{1,80}):\*\*")
_WORD = re.compile(r"\w+")
_LABELS = {"statement": "as a sentence", "evidence": "in the words", "replaces": "until now", "why": "why"}
"""Names on screen of keys whose values say little without."""
_FACT = ("category", "key", "value")
_LABEL = re.compile(rf"^(?:{'|'.join((*_LABELS.values(), 'no longer'))}): ")
_ABOUT = re.compile(r"^“[^”]*”: ")
"""Pattern of what a reason is of, before it."""
_BY_REEL = frozenset(
    (
        "id", "uid", "level", "created", "session", "sessions", "source", "model", "ring0", "span", "at",
        "immune", "kind", "role", "made", "op", "memory", "by", "page", "asked", "confidence", "origin",
        "when", "where", "said_by",
    )
)  # fmt: skip
"""Keys whose values reel sets itself."""
_OWN_LINES = frozenset(
    (
        EARLIER,
        "no reason was given",
        "# History",
        "# How we remember",
        *FIELDS,
        *(f"## {name}" for name in (*FIELDS, PAST_STATES)),
    )
)
"""Lines that reel writes itself: they say of what kind the text below is."""


def show_in_full(opened: "OpenKit", change: "Change") -> None:
    """Show, in words, all text that a change would put into the kit and that is not on the screen yet.

    Of the reply itself, which is kept as evidence, only the place is said.
    """
    console = opened.console
    seen = _words(console.seen)
    pages: list[str] = []
    groups: dict[str, list[str]] = {}
    for path, data in change.writes.items():
        if data is None or path.startswith(NOTED):
            continue
        if path.startswith(PAGES):
            pages.append(path)
            continue
        fresh = []
        head, added = _proposed(opened, path, data)
        for line in added or _added(path, opened.snapshot.read(path) or b"", data):
            text = _OF_ITSELF.sub(f": {opened.snapshot.settings.name} said", line)
            if any(f" {part} " not in f" {seen} " for part in _parts(path, text)):
                fresh.append(text)
                seen = f"{seen} {_words(text)}"
        if path.startswith("review/") and fresh == [_title(path, data)]:
            # what it says is on the screen, and its title alone tells nothing more
            continue
        if fresh:
            fresh = [head, *(f"  {text}" for text in fresh)] if head else fresh
            name = next((name for start, name in _PLACES.items() if path.startswith(start)), f"In {path}")
            groups.setdefault(name, []).extend(fresh)
    for name, lines in groups.items():
        console.say(name)
        for text in lines:
            console.say(f"  {text}")
        console.say()
    if pages:
        console.say(f"The whole page, as it was written, goes into {', '.join(pages)}.")
        console.say()


def _proposed(opened: "OpenKit", path: str, data: bytes) -> "tuple[str, list[str]]":
    """Return what a new proposal is called, and the lines it would add; nothing for another file."""
    if not path.startswith("review/") or not path.endswith(".md"):
        return "", []
    try:
        proposal = parse_proposal(data.decode("utf-8", "replace"), path)
        kind: ProposalKind | None = bring_proposal_kind(proposal.kind.value)
        if kind is None:
            return "", []
        told: ProposalInWords = kind.tell(opened.snapshot, proposal)
    except ReelError:
        return "", []
    # of two that do not agree both are shown
    text = f"{told.was}\n{told.adds}" if proposal.sides else told.adds
    # who speaks stands in bold in the file
    lines = [_SPEAKER.sub(r"\1:", line.strip()) for line in text.split("\n") if line.strip()]
    head = told.what.partition(": ")[0] if proposal.sides else told.what
    return (f"{capital(head)}:", lines) if lines else ("", [])


def _title(path: str, data: bytes) -> str:
    """Return the title of a proposal; "" where it has none, or cannot be read."""
    try:
        return parse_proposal(data.decode("utf-8", "replace"), path).title
    except ReelError:
        return ""


def _parts(path: str, text: str) -> "Iterator[str]":
    """Yield what of a text must be on the screen in one piece: a memory's title and its phrase, each."""
    text = without_day(text) if path.startswith("ring2/") else _ABOUT.sub("", _LABEL.sub("", text))
    parts = _JOINED.split(text) if path.startswith(("ring3/", "ring4/")) else [text]
    yield from filter(None, map(_words, parts))


def _added(path: str, before: bytes, after: bytes) -> "Iterator[str]":
    """Yield each text of a file that the file did not hold before."""
    stood = Counter(_words(text) for text in _texts(path, before.decode("utf-8", "replace")))
    for text in _texts(path, after.decode("utf-8", "replace")):
        words = _words(text)
        if stood[words]:
            stood[words] -= 1
        elif words:
            yield text


def _texts(path: str, text: str) -> "Iterator[str]":
    """Yield a file's texts without its format: the values of its keys, its index lines, its lines."""
    try:
        if path.endswith((".yaml", ".yml")):
            yield from _values(parse_yaml(text, path))
            return
        document = front_matter.split(text, path) if path.endswith(".md") else None
    except ReelError:
        document = None
    if document is not None:
        yield from _values(dict(document.fields))
    for line in (document.body if document is not None else text).split("\n"):
        entry = parse_line(line) if path == INDEX else None
        if entry is not None:
            yield from (entry.description, entry.anchor, *(t for t in entry.tags if t not in PROTOCOL_TAGS))
        elif line.strip() not in _OWN_LINES and not _MARK.fullmatch(line.strip()):
            yield line.strip()


def _values(value: "Plain") -> "Iterator[str]":
    """Yield each text under keys that reel does not set itself; a short list is one text."""
    if isinstance(value, dict) and all(isinstance(value.get(key), str) for key in _FACT):
        if value.get("dropped"):
            over = f"{value['key']}: {value['value']}"
            yield f"no longer: {' '.join(over.split())}"
            return
        # the parts of a fact say nothing by themselves
        kind = "the persona's own" if value["category"] == "own" else value["category"]
        told = [f"{kind}, {value['key']}: {value['value']}"]
        told += [
            f"{_LABELS[key]}: {one}" for key in _LABELS if isinstance(one := value.get(key), str) and one
        ]
        yield " ".join("; ".join(told).split())
    elif isinstance(value, dict):
        words = value.get("words")
        for key, one in value.items():
            if key == "why" and isinstance(one, str) and isinstance(words, str):
                # a reason says nothing without what it is of
                about = one_line(words, 60).replace("”", "’")
                yield from (f"“{about}”: {' '.join(text.split())}" for text in _values(one) if text)
            elif key in _LABELS and isinstance(one, str):
                yield from (f"{_LABELS[key]}: {text}" for text in _values(one) if text)
            elif key not in _BY_REEL:
                yield from _values(one)
    elif isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            yield ", ".join(map(str, value))
        else:
            for one in value:
                yield from _values(one)
    elif value not in _OWN_LINES:
        yield from (line.strip() for line in value.split("\n"))


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
