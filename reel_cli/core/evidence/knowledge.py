"""All that a persona could know: its tape, the memories before, facts and identity, looked up by words."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, quote_key
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.tape.session_file import read_said
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.memory import memory_number, where_of
from reel_cli.core.values.source import session_path

_FACTS = "facts.yaml"
_DIRECTIVES = "ring0/directives.md"
MOST_READ = 400
"""Maximum number of memories, the newest, whose text is known beside the tape that they tell of."""


@frozen
class KnownLine:
    """One line of what is known: the session it was said in, and the words in lower case.

    `session` is "" for what stands in a memory, a fact or the identity.
    """

    session: str
    text: str


class Knowledge:
    """All that is known to one persona, read only when something is looked up."""

    def __init__(self, snapshot: Snapshot, before: str = "", whole: "Knowledge | None" = None) -> None:
        """Prepare look-ups; with `before`, of memories only those made before it bear anything.

        `whole` has read the same tape, or will.
        """
        self._snapshot = snapshot
        self._before = before
        self._whole = whole

    @cached_property
    def days(self) -> Sequence[tuple[str, date]]:
        """Return all sessions with their days."""
        found = []
        for session in self._snapshot.sessions:
            try:
                found.append((session, date.fromisoformat(session[:10])))
            except ValueError:
                continue
        return found

    @cached_property
    def lines(self) -> Sequence[KnownLine]:
        """Return every line that is known, in lower case."""
        return [*self.tape_lines, *(line for text in self._kept() for line in _lines("", text))]

    @cached_property
    def tape_lines(self) -> Sequence[KnownLine]:
        """Return every line of the tape, in lower case, read once for all memories."""
        if self._whole is not None:
            return self._whole.tape_lines
        return [line for session, text in self._tape() for line in _lines(session, text)]

    @cached_property
    def text(self) -> str:
        """Return all lines as one text."""
        return "\n".join(one.text for one in self.lines)

    def knows(self, word: str) -> bool:
        """Return whether a word is known in any form."""
        return word_forms(word).stands_in(self.text)

    def has_name(self, name: str) -> bool:
        """Return whether a name stands anywhere, whole."""
        plain = re.sub(r"'s?$", "", even(name).casefold())
        return re.search(rf"\b{re.escape(plain)}\b", self.text) is not None

    def lines_with(self, pattern: re.Pattern[str]) -> Iterator[KnownLine]:
        """Yield the lines in which a pattern is found."""
        return (one for one in self.lines if pattern.search(one.text))

    def told_around(
        self, pattern: re.Pattern[str], *, without: Collection[str] = ()
    ) -> Iterator[tuple[str, str]]:
        """Yield each line with the pattern outside the sessions `without`, and it with its two neighbours."""
        lines = self.lines
        for at, one in enumerate(lines):
            if not (one.session and one.session in without) and pattern.search(one.text):
                near = lines[max(0, at - 1) : at + 2]
                yield one.text, "\n".join(other.text for other in near if other.session == one.session)

    def is_about(self, session: str, words: Sequence[str]) -> bool:
        """Return whether one line of a session has two of the words, or the only one."""
        patterns = [word_forms(word) for word in words]
        least = min(2, len(patterns))
        return any(
            sum(pattern.stands_in(one.text) for pattern in patterns) >= least
            for one in self.lines
            if one.session == session
        )

    def bears_quote(self, part: str) -> bool:
        """Return whether words were said, or written in what is known, one after another."""
        key = quote_key(part)
        longest = max(re.findall(r"\w+", even(part).casefold()), key=len, default="")
        return bool(longest) and any(longest in one.text and key in quote_key(one.text) for one in self.lines)

    def bears_together(
        self, words: Sequence[str], least: int, *, without: Collection[str] = ()
    ) -> KnownLine | None:
        """Return a line outside the sessions `without` that has at least so many of the words."""
        patterns = [word_forms(word) for word in words]
        for one in self.lines:
            if one.session and one.session in without:
                continue
            if sum(pattern.stands_in(one.text) for pattern in patterns) >= least:
                return one
        return None

    def tells_with(self, word: str, others: Sequence[str], *, without: Collection[str] = ()) -> bool:
        """Return whether a line outside the sessions `without` has a word, and one of the others."""
        forms, patterns = word_forms(word), [word_forms(one) for one in others]
        return any(
            forms.stands_in(one.text) and (not patterns or any(p.stands_in(one.text) for p in patterns))
            for one in self.lines
            if not (one.session and one.session in without)
        )

    def _tape(self) -> Iterator[tuple[str, str]]:
        """Yield the title and the words of every session that stands."""
        try:
            sessions = standing_sessions(self._snapshot)
        except ReelError:
            sessions = self._snapshot.sessions
        for session in sessions:
            path = session_path(session)
            try:
                data = self._snapshot.read(path) or b""
                said = read_said(data, path)[1] if data else b""
            except ReelError:
                # reported as a tape that differs from its record
                continue
            yield session, data[: data.find(b"\n---", 4)].decode("utf-8", "replace")
            yield session, said.decode("utf-8", "replace")

    def _kept(self) -> Iterator[str]:
        """Yield the texts of the kit that are known beside the tape."""
        snapshot = self._snapshot
        memories = list(snapshot.memories.values())
        if self._before:
            memories = [one for one in memories if memory_number(one.id) < memory_number(self._before)]
        memories.sort(key=lambda one: memory_number(one.id))
        newest = {one.id for one in memories[-MOST_READ:]}
        paths = [memory_path(one.id) for one in memories if one.id in newest or not where_of(one)]
        settings = snapshot.settings
        yield f"{settings.name}\n{settings.user}"
        for path in (_FACTS, IDENTITY, _DIRECTIVES, *paths):
            try:
                yield snapshot.text(path) or ""
            except ReelError:
                continue


def _lines(session: str, text: str) -> Iterator[KnownLine]:
    return (KnownLine(session, line) for line in even(text).casefold().splitlines() if line.strip())
