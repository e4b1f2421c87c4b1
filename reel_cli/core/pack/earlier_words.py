"""Earlier words of memories that have faded: the finest text of each that history still stands for.

A memory's text of before is told again only where nothing but fading lies between it and the file: a text
that somebody corrected or rewrote since is not brought back, nor is one whose shorter words put a number or a
name right. What was doubted in it when it faded is told with a mark, unless a person settled it since. What
the file says about the memory as a whole, its title or that not all of it holds any longer, is told with the
earlier words too.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli import __version__
from reel_cli.core.errors import ReelError
from reel_cli.core.values.holdings import Counter, EarlierForm, MemoryRow, MemoryTexts, Notebook, kept_under

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.memory import Memory

LEVELS = ("L1", "L2", "L3", "L4")
_KEPT = "earlier words"


class EarlierWords:
    """The earlier words of one kit's memories, as a bundle is written."""

    def __init__(self, snapshot: "Snapshot", repo: "Repository", rev: str) -> None:
        """Look for them in the history of the commit `rev`, for the files of `snapshot`."""
        self._snapshot = snapshot
        self._repo = repo
        self._rev = rev

    def of(
        self, rows: Sequence[MemoryRow], writing: MemoryTexts, counter: Counter, notebook: Notebook | None
    ) -> Mapping[str, Sequence[EarlierForm]]:
        """Return the forms that history has of each of these memories, finer than its file's, by its ID."""
        stamp = f"{__version__} {self._rev} {writing.key} {kept_under(counter)}"
        kept = notebook.recall(_KEPT, stamp) if notebook is not None else None
        known: dict[str, tuple[str, list[list[object]]]] = json.loads(kept) if kept else {}
        missing = [row for row in rows if known.get(row.id, ("",))[0] != row.mark]
        if missing:
            for row, forms in self._find(missing, writing, counter):
                known[row.id] = row.mark, [list(form) for form in forms]
            if notebook is not None:
                notebook.keep(_KEPT, stamp, json.dumps(known, ensure_ascii=False))
        return {
            row.id: [EarlierForm(str(name), int(str(tokens)), str(text)) for name, tokens, text in forms]
            for row in rows
            for forms in [known[row.id][1]]
        }

    def _find(
        self, rows: Sequence[MemoryRow], writing: MemoryTexts, counter: Counter
    ) -> Iterable[tuple[MemoryRow, Sequence[EarlierForm]]]:
        from reel_cli.core.kit.read_holdings import split_body
        from reel_cli.core.values.memory import memory_path

        first, doubted = self._first_texts(rows)
        for row in rows:
            then, path = first.get(row.id), memory_path(row.id)
            now = _parse(self._snapshot.text(path) or "", path)
            if then is None or now is None:
                yield row, ()
                continue
            claims = doubted.get(row.id, ())
            then = replace(then, body=_mark(then.body, claims), marker=_mark(then.marker, claims))
            told = replace(then, title=now.title, no_longer=now.no_longer, tags=now.tags, undated=now.undated)
            whole, marker, _ = writing.memory(told, split_body(told))
            sizes = counter.count(whole), counter.count(marker)
            forms = [EarlierForm("whole", sizes[0], whole)] if sizes[0] > row.whole else []
            if row.marker < sizes[1] < sizes[0]:
                forms.append(EarlierForm("marker", sizes[1], marker))
            yield row, forms

    def _first_texts(
        self, rows: Sequence[MemoryRow]
    ) -> "tuple[Mapping[str, Memory], Mapping[str, list[str]]]":
        """Return each memory as it was before its first fading since it was last written otherwise.

        And what was doubted in it as it faded, and is not settled.
        """
        from reel_cli.core.values.memory import memory_path

        wanted = {row.id for row in rows}
        fadings = [one for one in self._fadings() if one[0] in wanted]
        asked = [one for name, commit, was, _ in fadings for one in (self._place(commit, name), was)]
        texts = dict(zip(asked, self._read(asked), strict=True))
        found: dict[str, Memory] = {}
        doubted: dict[str, list[str]] = {}
        done: set[str] = set()
        for name, commit, was, doubts in fadings:
            path = memory_path(name)
            later = found.get(name) or _parse(self._snapshot.text(path) or "", path)
            after, before = (_parse(texts[key] or "", path) for key in (self._place(commit, name), was))
            if name in done or later is None or after is None or before is None:
                done.add(name)
            elif after.body.strip() != later.body.strip() or self._puts_right(before, after):
                # between this fading and what came later somebody wrote it otherwise
                done.add(name)
            else:
                found[name] = before
                doubted.setdefault(name, []).extend(self._unsettled(before.uid or name, doubts))
        return found, doubted

    def _puts_right(self, before: "Memory", after: "Memory") -> bool:
        """Return whether shorter words have a number or a name that the longer ones have nowhere."""
        people = f"{self._snapshot.settings.name} {self._snapshot.settings.user}"
        longer = f"{before.title}\n{before.marker}\n{before.body}\n{people}".casefold()
        told, held = ({*_DIGITS.findall(text)} for text in (after.body, longer))
        held |= {str(count) for count, word in enumerate(_SPELT) if word in longer} | _read_spelt(longer)
        told |= _read_spelt(after.body.casefold())
        names = _NAMES.findall(after.body)
        if len(names) * _MOST_NAMES > len(after.body.split()):
            # every noun has a capital there
            names = []
        return not told <= held or any(one.casefold() not in longer for one in names)

    def _unsettled(self, owner: str, doubts: str) -> Iterable[str]:
        """Yield the claims of doubts that no person settled."""
        from reel_cli.core.files.commit_message import BETWEEN_DOUBTS
        from reel_cli.core.files.review_file import SETTLED, doubt_key, read_settled

        try:
            settled = read_settled(self._snapshot.text(SETTLED) or "") if doubts else {}
        except ReelError:
            settled = {}
        for doubt in doubts.split(BETWEEN_DOUBTS) if doubts else ():
            kind, _, claim = doubt.partition(":")
            if doubt_key(owner, kind, claim) not in settled:
                yield claim

    def _fadings(self) -> Iterable[tuple[str, str, str, str]]:
        """Yield each fading of a memory, newest first: its ID, the commit, the blob of before, its doubts."""
        from reel_cli.core.files.commit_message import FORGOT, parse_forgotten
        from reel_cli.core.git.process import Git
        from reel_cli.core.git.repository import is_commit_id

        log = Git(self._repo.root)(
            *("log", "-z", f"--grep=^{FORGOT}: M-"),
            *(f"--format=%H%n%(trailers:key={FORGOT},valueonly,unfold)", self._rev),
            *(["--", self._repo.prefix] if self._repo.prefix else []),
        ).decode("utf-8", "replace")
        for commit, _, losses in (entry.lstrip("\n").partition("\n") for entry in log.split("\0")):
            for loss in map(parse_forgotten, losses.splitlines()):
                if loss is not None and is_commit_id(loss.was) and {loss.before, loss.after} <= {*LEVELS}:
                    yield loss.id, commit, loss.was, loss.doubted

    def _place(self, commit: str, name: str) -> str:
        from reel_cli.core.values.memory import memory_path

        return f"{commit}:{self._repo.prefix}{memory_path(name)}"

    def _read(self, names: Sequence[str]) -> Iterable[str | None]:
        """Yield the text of each object, None where history has it not; all in one process."""
        from reel_cli.core.git.process import Git

        if not names:
            return
        asked = "".join(f"{name}\n" for name in names).encode()
        data = Git(self._repo.root)("cat-file", "--batch", input=asked)
        at = 0
        for _ in names:
            end = data.index(b"\n", at)
            head = data[at:end].split()
            at = end + 1
            if len(head) != 3 or head[1] != b"blob":
                yield None
                continue
            size = int(head[2])
            yield data[at : at + size].decode("utf-8", "replace")
            at += size + 1


def _parse(text: str, path: str) -> "Memory | None":
    from reel_cli.core.files.memory_file import parse_memory

    try:
        return parse_memory(text, path) if text else None
    except ReelError:
        return None


def _mark(text: str, claims: Sequence[str]) -> str:
    """Return a text with a mark behind each sentence that has a claim that was doubted."""
    for claim in dict.fromkeys(claims):
        places = [found.end() for found in re.finditer(rf"(?<!\w){re.escape(claim)}(?!\w)", text)]
        for place in reversed(places):
            ends = _ENDS.search(text, place)
            at = ends.end() if ends is not None else len(text)
            text = f"{text[:at]} (doubted: “{claim}”){text[at:]}"
    return text


def _read_spelt(text: str) -> set[str]:
    """Return the numbers from thirteen to 99 that a text in small letters spells, in digits."""
    return {
        str(_TENS.get(found[1], 0) + (_SPELT.index(found[2]) if found[2] else 0) or _TEENS[found[0]])
        for found in _SPELT_NUMBER.finditer(text)
    }


_DIGITS = re.compile(r"\d+")
_SPELT = re.findall(r"\w+", "zero one two three four five six seven eight nine ten eleven twelve")
_TEENS = {
    f"{word}teen": 13 + at for at, word in enumerate(("thir", "four", "fif", "six", "seven", "eigh", "nine"))
}
_TENS = {
    f"{word}ty": 10 * at
    for at, word in enumerate(("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"), start=2)
}
_SPELT_NUMBER = re.compile(
    rf"\b(?:({'|'.join(_TENS)})(?:[- ]({'|'.join(_SPELT[1:10])}))?|{'|'.join(_TEENS)})\b"
)
_MOST_NAMES = 8
"""One word of so many may be a name; where there are more, all nouns are written with a capital."""
_NAMES = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{3,}")
"""Pattern of a name within a sentence."""
_ENDS = re.compile(r"[.!?][\"”’)]*(?=\s|$)|(?=\n)")
