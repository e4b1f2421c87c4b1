"""What dreaming wove from what is to be purged: chapters and facts, which tell it in their own words."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.talk import SourceRange, parse_source
from reel_cli.features.dream.earlier_story import PAST
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import parse_sourced
from reel_cli.features.facts.files import FACTS, parse_facts


@dataclass(frozen=True, slots=True)
class Woven:
    """A chapter or a fact: the file it stands in, the line, and its title."""

    path: str
    line: int
    title: str


def find_woven(snapshot: Snapshot, struck: Mapping[str, Collection[int]]) -> Sequence[Woven]:
    """The chapters and facts whose source on the tape holds what is struck: message numbers, by session.

    Those of a story that was laid aside are among them.
    """

    def touched(span: SourceRange) -> bool:
        return any(span.first <= n <= (span.last or n) for n in struck.get(span.session, ()))

    laid_aside = [path for path in snapshot.list(PAST) if path.endswith((".md", ".yaml"))]
    found = [
        Woven(path, chapter.line, chapter.title)
        for path in (HISTORY, *(path for path in laid_aside if path.endswith(_name(HISTORY))))
        for chapter in parse_sourced(snapshot.text(path) or "")
        if any(touched(span) for span in chapter.spans)
    ]
    for path in (FACTS, *(path for path in laid_aside if path.endswith(_name(FACTS)))):
        with suppress(ReelError):
            for fact in parse_facts(snapshot.text(path) or ""):
                source = parse_source(fact.source)
                if source is not None and touched(source):
                    found.append(Woven(path, 0, f"{fact.category}, {fact.key}"))
    return found


def _name(path: str) -> str:
    return f"/{path.rpartition('/')[2]}"
