"""The memories and facts that came from a chat, by the message at which each begins."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import parse_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.serve.reading import ServedKit


@frozen
class Follower:
    """A memory or a fact that came from a message: what it is, its title or its words, and its address."""

    what: str
    words: str
    address: str


def list_followers(kit: "ServedKit", session: str) -> "Mapping[int, Sequence[Follower]]":
    """Return what came of a chat, by the number of the first message that it came from."""
    found: dict[int, list[Follower]] = {}
    for span, follower in [*_list_memories(kit), *_list_facts(kit)]:
        if span.session == session:
            told = found.setdefault(max(1, span.first), [])
            if follower not in told:
                told.append(follower)
    return found


def _list_memories(kit: "ServedKit") -> "Iterator[tuple[SourceRange, Follower]]":
    for name, title, spans in kit.reader.album.list_sources():
        for span in spans:
            yield span, Follower("Remembered", title, f"/memory/{name}")


def _list_facts(kit: "ServedKit") -> "Iterator[tuple[SourceRange, Follower]]":
    from reel_cli.core.kit.known_facts import read_known

    try:
        held = read_known(kit.opened.snapshot).held
    except ReelError:
        # a file that cannot be read is told of where the facts are
        return
    for fact in held:
        span = parse_source(fact.source)
        if span is not None:
            yield span, Follower("Known by heart", fact.value, "/known#facts")
