"""Selection of the lines of a Claude Code session that are the final conversation, and of other branches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.formats.apps.claudecode_records import Record, Turn


@frozen
class Chain:
    """One session: its turns in order, and all its records in the order of the file.

    `session` is the name it goes by; `sessions` are all that its records bear (a resumed one has more).
    """

    session: str | None
    sessions: frozenset[str]
    records: Sequence[Record]
    said: Sequence[Turn]


def find_chains(records: Sequence[Record], stem: str) -> list[Chain]:
    """Return every session among the records, in file order; `stem` is the file's name."""
    once: dict[str, Record] = {}
    for record in records:
        # a record that outlives a compaction is written again under the same id; it stays where it was
        once.setdefault(record.id, record)
    linked = _linked(once)
    chains: list[Chain] = []
    for group in _sessions(linked):
        names = frozenset(record.session for record in group if record.session)
        last = next((r.session for r in reversed(group) if r.session), None)
        if any(record.counts for record in group):
            name = stem if stem in names else last
            chains.append(Chain(name, names, group, _turns(group)))
    return chains


def _linked(once: Mapping[str, Record]) -> dict[str, Record]:
    """Return the records with parents that exist, and without cycles.

    One that does not say what it follows, or follows a line that is not in the file, follows the line
    before it of the same session.
    """
    linked: dict[str, Record] = {}
    before: dict[str | None, str] = {}
    for record in once.values():
        parent = record.parent
        if parent is not None and (parent == record.id or parent not in once):
            parent = before.get(record.session)
        linked[record.id] = replace(record, parent=parent)
        if record.counts or record.bridges:
            before[record.session] = record.id
    settled: set[str] = set()
    for record in linked.values():
        walked: dict[str, None] = {}
        here: str | None = record.id
        while here is not None and here not in settled:
            walked[here] = None
            above = linked[here].parent
            if above in walked:
                linked[here].parent = above = None
            here = above
        settled.update(walked)
    return linked


def _sessions(linked: Mapping[str, Record]) -> list[list[Record]]:
    """Return the records by session: those that are linked, and those with the same name."""
    roots: dict[str, str] = {}
    for record in linked.values():
        walked: list[str] = []
        here = record.id
        while here not in roots and (above := linked[here].parent) is not None:
            walked.append(here)
            here = above
        root = roots.setdefault(here, here)
        roots.update(dict.fromkeys(walked, root))
    pieces: dict[str, list[Record]] = {}
    for record in linked.values():
        pieces.setdefault(roots[record.id], []).append(record)
    groups: dict[str | None, list[Record]] = {}
    for piece in pieces.values():
        name = next((r.session for r in reversed(piece) if r.session), None)
        groups.setdefault(name, []).extend(piece)
    return [sorted(group, key=lambda record: record.place) for group in groups.values()]


def _turns(group: Sequence[Record]) -> list[Turn]:
    tree = _Tree(group)
    path = tree.path(next(record for record in reversed(group) if record.counts))
    answers = {record.answer for record in path if record.answer}
    on_path = {record.id for record in path}
    along: list[Record] = []
    branches: list[tuple[int, list[Record]]] = []
    for above in (None, *path):
        if above is not None:
            along.append(above)
        for child in tree.children(above):
            if child.id not in on_path:
                inline, left = tree.split(child, answers)
                along += inline
                branches += [(len(along), branch) for branch in left]
    # numbered in the order they were left, so that a later reading gives them the same numbers
    branches.sort(key=lambda branch: max(record.place for record in branch[1]))
    turns, starts = _group(along)
    for number, (at, branch) in enumerate(branches, start=1):
        _alternative(turns, starts, at).roads.append((number, _group(branch)[0]))
    return turns


def _alternative(turns: Sequence[Turn], starts: Sequence[int], at: int) -> Turn:
    """Return the turn taken where record `at` follows, or the last one that says anything."""
    speaking = [(turn, start) for turn, start in zip(turns, starts, strict=True) if turn.says]
    after = next((turn for turn, start in speaking if start >= at), None)
    return after or (speaking[-1][0] if speaking else turns[-1])


def _group(records: Sequence[Record]) -> tuple[list[Turn], list[int]]:
    """Return the records as turns, an answer's lines together, and the record each turn begins at."""
    turns: list[Turn] = []
    starts: list[int] = []
    answering: Turn | None = None
    for at, record in enumerate(records):
        if not record.counts and not record.system:
            continue
        if answering is not None and record.answer and record.answer == answering.records[0].answer:
            answering.records.append(record)
            continue
        turns.append(Turn([record]))
        starts.append(at)
        if record.answer:
            answering = turns[-1]
        elif record.says:
            answering = None
    return turns, starts


class _Tree:
    """The records of one session by what they follow."""

    def __init__(self, group: Sequence[Record]) -> None:
        self.by_id = {record.id: record for record in group}
        self._children: dict[str | None, list[Record]] = {}
        for record in group:
            self._children.setdefault(record.parent, []).append(record)

    def children(self, above: Record | None) -> Sequence[Record]:
        """Return the direct children of a record, in file order; the first records for None."""
        return self._children.get(above.id if above else None, ())

    def path(self, leaf: Record) -> list[Record]:
        """Return the records from the beginning to `leaf`."""
        path = [leaf]
        while path[-1].parent is not None:
            path.append(self.by_id[path[-1].parent])
        path.reverse()
        return path

    def split(self, top: Record, answers: set[str]) -> tuple[list[Record], list[list[Record]]]:
        """Return the records below `top` that belong to the conversation, and the branches not taken.

        Tools that ran side by side fork the chain as well; where nothing but their work is in a fork, or
        further lines of an answer that was taken, it is no other road.
        """
        below: list[Record] = []
        waiting = [top]
        while waiting:
            below.append(waiting.pop())
            waiting.extend(self.children(below[-1]))
        speaking = {record.id for record in below if record.says and record.answer not in answers}
        for record in reversed(below):
            if record.id in speaking and record is not top and record.parent is not None:
                speaking.add(record.parent)
        if top.id not in speaking:
            return sorted(below, key=lambda record: record.place), []
        branches: list[list[Record]] = [[]]
        chains = [(top, False)]
        while chains:
            record, forks = chains.pop()
            if forks:
                branches.append([])
            branches[-1].append(record)
            below = sorted(self.children(record), key=lambda child: child.id in speaking)
            first = next((child for child in below if child.id in speaking), None)
            chains.extend((child, child.id in speaking and child is not first) for child in reversed(below))
        return [], branches
