"""All that a persona could know: its tape, the memories before, facts and identity, looked up by words."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, quote_key
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.line_index import LineIndex
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.ports import list_feature_files
from reel_cli.core.tape.session_file import read_said
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.memory import Memory, memory_number, memory_path, where_of
from reel_cli.core.values.source import session_path

_DIRECTIVES = "ring0/directives.md"
MOST_READ = 400
"""Maximum number of memories, the newest, whose text is known beside the tape that they tell of."""


MOST_DOUBTED = 24
"""Maximum number of memories that are looked at for doubts of their own, before they bear anything."""
Doubts = Callable[[Memory], Collection[str]]
"""Returns the details of a memory that are doubted and not settled, in its words."""


@frozen
class Written:
    """Something as it may be written: the texts that say it, and a pattern that finds each as whole words."""

    forms: tuple[str, ...]
    pattern: re.Pattern[str]


class _Texts:
    """The texts of a kit, read and indexed when they are first needed."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._of_memories: dict[int, int] = {}
        self._told: dict[int, int] = {}
        self._doubted: dict[int, Sequence[re.Pattern[str]]] = {}
        self.index = LineIndex()

    @cached_property
    def sessions(self) -> Mapping[str, int]:
        """Return the text of every session that stands: its title and its words."""
        found = {}
        try:
            sessions = standing_sessions(self._snapshot)
        except ReelError:
            sessions = self._snapshot.sessions
        for session in sessions:
            path = session_path(session)
            try:
                data = self._snapshot.read(path) or b""
                said = b"\n\n".join(read_said(data, path)[1] if data else ())
            except ReelError:
                # reported as a tape that differs from its record
                continue
            title = data[: data.find(b"\n---", 4)]
            found[session] = self.index.add(title.decode("utf-8", "replace"), said.decode("utf-8", "replace"))
        return found

    @cached_property
    def tape(self) -> frozenset[int]:
        """Return the texts of all sessions that stand."""
        return frozenset(self.sessions.values())

    @cached_property
    def kit_files(self) -> Sequence[int]:
        """Return the texts of the kit that are neither tape nor memories."""
        settings = self._snapshot.settings
        packed = [file.path for _, file in list_feature_files() if file.packed]
        files = (*packed, IDENTITY, _DIRECTIVES)
        return [self.index.add(f"{settings.name}\n{settings.user}"), *map(self._add_file, files)]

    def memory(self, place: int) -> int:
        """Return the text of a memory, by its place among all memories."""
        if place not in self._of_memories:
            self._of_memories[place] = self._add_file(memory_path(self._memories[place].id))
            if where_of(self._memories[place]):
                self._told[self._of_memories[place]] = place
        return self._of_memories[place]

    def tells_of_tape(self, text: int) -> bool:
        """Return whether a text is a memory of some session."""
        return text in self._told

    def is_doubted(self, line: int, doubts: "Doubts") -> bool:
        """Return whether a memory's line has something that was doubted when it was kept, and not settled."""
        text = self.index.text_of[line]
        if text not in self._doubted:
            if len(self._doubted) >= MOST_DOUBTED:
                return False
            claims = doubts(self._memories[self._told[text]])
            patterns = [rf"(?<!\w){re.escape(even(claim).casefold().strip())}(?!\w)" for claim in claims]
            self._doubted[text] = [re.compile(one) for one in patterns]
        return any(pattern.search(self.index.lines[line]) for pattern in self._doubted[text])

    def _add_file(self, path: str) -> int:
        """Index a file; empty if it cannot be read."""
        try:
            return self.index.add(self._snapshot.text(path) or "")
        except ReelError:
            return self.index.add()

    @cached_property
    def _memories(self) -> Sequence[Memory]:
        """Return all memories in the order of their numbers."""
        return sorted(self._snapshot.memories.values(), key=lambda one: memory_number(one.id))

    @cached_property
    def numbers(self) -> Sequence[int]:
        """Return the numbers of all memories, rising."""
        return [memory_number(one.id) for one in self._memories]

    @cached_property
    def untaped(self) -> Sequence[int]:
        """Return the places of the memories that tell of no session."""
        return [place for place, one in enumerate(self._memories) if not where_of(one)]


class Knowledge:
    """All that is known to one persona, read only when something is looked up."""

    def __init__(
        self,
        snapshot: Snapshot,
        doubts: Doubts | None = None,
        *,
        before: str = "",
        taped: bool = True,
        texts: "_Texts | None" = None,
    ) -> None:
        """Prepare look-ups; a line of a memory bears nothing where `doubts` finds something in it.

        With `before`, of memories only those made before it bear anything; without `taped`, only those that
        tell of no session.
        """
        self._snapshot = snapshot
        self._doubts = doubts
        self._before = before
        self._taped = taped
        self._texts = texts or _Texts(snapshot)

    def of_before(self, memory: str) -> "Knowledge":
        """Return what is known without this memory and those made after it."""
        return Knowledge(self._snapshot, self._doubts, before=memory, taped=self._taped, texts=self._texts)

    def without_taped(self) -> "Knowledge":
        """Return what is known without the memories that tell of a session."""
        return Knowledge(self._snapshot, before=self._before, taped=False, texts=self._texts)

    def knows(self, word: str) -> bool:
        """Return whether a word is known in any form."""
        return self._any(self._index.find_forms(word_forms(word)))

    def has_name(self, name: str) -> bool:
        """Return whether a name stands anywhere, whole."""
        plain = re.sub(r"'s?$", "", even(name).casefold())
        return self._matches(rf"\b{re.escape(plain)}\b", self._index.find_words(plain))

    def has_beginning(self, root: str) -> bool:
        """Return whether a word begins with a root, or several words do."""
        return self._matches(rf"\b{re.escape(root)}", self._index.find_words(root, goes_on=True))

    def has_line(self, written: Written, fits: Callable[[str], bool] = bool) -> bool:
        """Return whether something is written in a line that fits."""
        found = (line for line in self._find(written, ()) if fits(self._index.lines[line]))
        return self._bears(found)

    def has_around(
        self, written: Written, fits: Callable[[str, str], bool], *, without: Collection[str] = ()
    ) -> bool:
        """Return whether something is written in a line outside the sessions `without` that fits.

        `fits` is given the line, and it with its two neighbours.
        """
        lines = self._index.lines

        def around(line: int) -> str:
            return "\n".join(map(lines.__getitem__, self._neighbours(line)))

        return self._bears(line for line in self._find(written, without) if fits(lines[line], around(line)))

    def bears_quote(self, part: str) -> bool:
        """Return whether words were said, or written in what is known, one after another."""
        key = quote_key(part)
        longest = max(re.findall(r"\w+", even(part).casefold()), key=len, default="")
        found = self._standing(self._index.find_part(longest)) if longest else ()
        return self._bears(line for line in found if key in self._index.quote_key(line))

    def bears_together(self, words: Sequence[str], least: int, *, without: Collection[str] = ()) -> bool:
        """Return whether a line outside the sessions `without` has at least so many of the words."""
        counts = Counter(line for word in words for line in self._index.find_forms(word_forms(word)))
        return self._any((line for line, count in counts.items() if count >= least), without)

    def has_line_with(self, written: Written, words: Sequence[str]) -> bool:
        """Return whether a line has something written, and one of these words; any such line for no words."""
        return self.has_line(
            written, lambda line: not words or any(word_forms(word).stands_in(line) for word in words)
        )

    def tells_with(self, word: str, others: Sequence[str], *, without: Collection[str] = ()) -> bool:
        """Return whether a line outside the sessions `without` has a word, and one of the others."""
        found = self._index.find_forms(word_forms(word))
        if others:
            found = found & set().union(*(self._index.find_forms(word_forms(one)) for one in others))
        return self._any(found, without)

    @cached_property
    def _index(self) -> LineIndex:
        """Return the index, once all that is known here is in it."""
        _ = self._known
        return self._texts.index

    @cached_property
    def _kept(self) -> Sequence[int]:
        """Return the texts that are known beside the tape, in order."""
        texts, numbers = self._texts, self._texts.numbers
        end = bisect_left(numbers, memory_number(self._before)) if self._before else len(numbers)
        first = max(0, end - MOST_READ)
        older = texts.untaped[: bisect_left(texts.untaped, first)]
        if not self._taped:
            older, first = texts.untaped[: bisect_left(texts.untaped, end)], end
        return [*texts.kit_files, *map(texts.memory, (*older, *range(first, end)))]

    @cached_property
    def _known(self) -> frozenset[int]:
        """Return all texts that are known."""
        return self._texts.tape.union(self._kept)

    @cached_property
    def _kept_lines(self) -> Sequence[int]:
        """Return the lines that are known beside the tape, in order."""
        return [line for text in self._kept for line in self._index.lines_of(text)]

    def _standing(self, lines: Iterable[int], without: Collection[str] = ()) -> Iterator[int]:
        """Return those of some lines that are known outside the sessions `without`."""
        texts, text_of = self._known, self._index.text_of
        if without:
            texts = texts - {self._texts.sessions.get(session, -1) for session in without}
        return (line for line in lines if text_of[line] in texts)

    def _any(self, lines: Iterable[int], without: Collection[str] = ()) -> bool:
        return self._bears(self._standing(lines, without))

    def _bears(self, lines: Iterable[int]) -> bool:
        """Return whether one of some lines is evidence: of the memories, one that was not itself doubted."""
        text_of, doubts = self._index.text_of, self._doubts
        told: list[int] = []
        for line in lines:
            if doubts is None or not self._texts.tells_of_tape(text_of[line]):
                return True
            told.append(line)
        return doubts is not None and any(not self._texts.is_doubted(line, doubts) for line in sorted(told))

    def _matches(self, pattern: str, lines: Iterable[int]) -> bool:
        search = re.compile(pattern).search
        return self._bears(line for line in self._standing(lines) if search(self._index.lines[line]))

    def _find(self, written: Written, without: Collection[str]) -> Iterator[int]:
        """Return the known lines in which something is written."""
        lines = set().union(*map(self._index.find_words, written.forms))
        search = written.pattern.search
        return (line for line in self._standing(lines, without) if search(self._index.lines[line]))

    def _neighbours(self, line: int) -> Sequence[int]:
        """Return a line with the ones before and after it; what is no tape counts as one text."""
        text = self._index.text_of[line]
        lines = self._index.lines_of(text) if text in self._texts.tape else self._kept_lines
        at = lines.index(line)
        return lines[max(0, at - 1) : at + 2]
