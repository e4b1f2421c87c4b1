"""Quotations of a session in the files of a kit, now and in all of history."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import read_all_objects
from reel_cli.core.quote_marks import unquote
from reel_cli.core.tape.erasure.target import is_too_short
from reel_cli.core.values.memory import FIELDS
from reel_cli.core.values.talk import PURGED

QUOTED_WORDS = 4
QUOTED_LENGTH = 24
"""Words or characters below which a text in another file is no quotation: everybody says it."""
ANCHOR_WORDS = 2
"""A phrase by which a memory of the session is found; one word of it may be any word."""

TAPE = (b"---\nsession: ", b"---\ntape: ")
_BINARY = b"\0"
_ESCAPES = (("\\n", "\n"), ('\\"', '"'))
_ANCHORS = re.compile(rf"(?m)^## {re.escape(FIELDS[4])}[ \t]*\n((?:(?!## ).*\n?)*)")
_ITEM = re.compile(r"(?m)^[ \t]*[-*] +(.+)$")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE = re.compile(r"[^.!?…\n]+")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_ENDS = " .,;:!?…\"'"
_LIST = " \t-*>#"


def find_quotes(repo: Repository, session: str, said: Sequence[str], files: Iterable[str]) -> frozenset[str]:
    """Return the phrases that files quote from a session's messages, in the files' spelling.

    `said` are the messages, `files` the texts of the kit's files as they lie there. Those that git holds are
    looked through as well, reachable or not: so a memory that was let go is among them. The tape is not. A
    quotation or a sentence has at least 4 words and 24 characters; what a memory of the session lists to be
    found by, two words. Raises StateError where history is damaged.
    """
    sought = SaidIndex(said)
    found = {phrase for text in files for phrase in sought.quoted_in(text, session)}
    for _, kind, data in read_all_objects(repo.root):
        if kind != "tree" and not data.startswith(TAPE) and _BINARY not in data:
            found.update(sought.quoted_in(data.decode("utf-8", "replace"), session))
    return frozenset(found)


class SaidIndex:
    """An index of what was said, for looking up phrases."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._whole = "\n".join(f" {_plain(text)} " for text in texts)
        self._known: dict[tuple[str, bool], bool] = {}

    def quoted_in(self, text: str, session: str) -> Iterator[str]:
        """Yield the phrases of a file that occur in the session."""
        for old, new in _ESCAPES:
            text = text.replace(old, new)
        paragraphs = (" ".join(part.split()) for part in _PARAGRAPH.split(text))
        for part in (text, *paragraphs):
            for phrase in quotations(part):
                yield from self._kept(phrase, least=False)
        if session not in text:
            return
        for line in text.splitlines():
            for sentence in _SENTENCE.findall(line):
                yield from self._kept(sentence.strip(_LIST), least=False)
        for section in _ANCHORS.findall(text):
            for item in _ITEM.findall(section):
                for phrase in (unquote(item), *quotations(item)):
                    yield from self._kept(phrase, least=True)

    def _kept(self, phrase: str, *, least: bool) -> Iterator[str]:
        bare = " ".join(phrase.split()).strip(_ENDS)
        key = (bare, least)
        if key not in self._known:
            self._known[key] = self._stands(bare, least=least)
        if self._known[key]:
            yield bare

    def _stands(self, bare: str, *, least: bool) -> bool:
        words = len(bare.split())
        if PURGED in bare or is_too_short(bare) or words < (ANCHOR_WORDS if least else QUOTED_WORDS):
            return False
        if not least and len(bare) < QUOTED_LENGTH:
            return False
        return self.holds(bare)

    def holds(self, phrase: str) -> bool:
        """Return whether a phrase was said; case and the kind of quotation marks do not matter."""
        # most phrases occur in no file: compiling a pattern for each would take minutes
        plain = _plain(phrase)
        at = self._whole.find(plain)
        while at >= 0:
            if not (
                _in_word(self._whole[at - 1 : at])
                or _in_word(self._whole[at + len(plain) : at + len(plain) + 1])
            ):
                return True
            at = self._whole.find(plain, at + 1)
        return False


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_MARKS).casefold().split())
