"""The chapters that tell of something on the tape in their own words, and the facts that were laid aside."""

from collections.abc import Collection, Mapping, Sequence

from reel_cli.core.files.kit_files import Retold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.dream.earlier_story import PAST
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import parse_sourced
from reel_cli.features.facts.files import FACTS
from reel_cli.features.facts.purge import list_retold


def find_chapters(snapshot: Snapshot, struck: Mapping[str, Collection[int]]) -> Sequence[Retold]:
    """Return the chapters whose source on the tape holds what is struck: message numbers, by session.

    Those of a story that was laid aside are among them, and its facts.
    """
    laid_aside = [path for path in snapshot.list(PAST) if path.endswith((".md", ".yaml"))]
    found = [
        Retold(path, chapter.line, chapter.title)
        for path in (HISTORY, *(path for path in laid_aside if path.endswith(_name(HISTORY))))
        for chapter in parse_sourced(snapshot.text(path) or "")
        if any(span.meets(struck) for span in chapter.spans)
    ]
    for path in (path for path in laid_aside if path.endswith(_name(FACTS))):
        found += list_retold(path, snapshot.text(path) or "", struck)
    return found


def _name(path: str) -> str:
    return f"/{path.rpartition('/')[2]}"
