"""`stream.md` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.stream.files import parse_stream

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin


def _check(_path: str, text: str) -> None:
    parse_stream(text)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return the conversation that was kept later; history has the other."""
    from reel_cli.core.kit.kind_join import JoinedFiles, text_in

    if found.both is None:
        return None
    mine, other = (_kept_at(text_in(data)) for data in found.both)
    told = f"A conversation was kept on both machines: {found.path} is as"
    told = f"{told} {found.whose[0 if mine > other else 1]} had it, where it was later."
    return JoinedFiles({found.path: found.both[0 if mine > other else 1]}, [told])


def _kept_at(text: str) -> "datetime":
    """Return when a conversation was kept; the beginning of time where that cannot be read."""
    from reel_cli.core.moment import moment

    try:
        return moment(parse_stream(text).at)
    except ReelError:
        return moment("")


STREAM = KitFileKind(_check, join=_join)
