"""The persona as it was at the end of another day, and what is different since."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.tape.tape_view import standing_sessions

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from reel_cli.core.kit.moment_of_kit import KitMoment
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit
    from reel_cli.features.view.kit_page import ShownBundle
    from reel_cli.terminal.open_kit import OpenKit

NEWEST = 5_000
"""Number of the newest commits among whose days one is chosen."""


@frozen
class OtherDay:
    """A kit at the end of a day (ISO 8601): its counts, what went on, its bundle, and what changed since.

    `days` are those to choose from, oldest first, `earlier` and `later` those beside it, "" for none.
    """

    day: str
    days: Sequence[str]
    chats: int
    memories: int
    now: Sequence[tuple[str, str]]
    bundle: "ShownBundle | None"
    no_bundle: str
    changes: Sequence[tuple[str, Sequence[str]]]
    earlier: str = ""
    later: str = ""


class OtherDayPages:
    """The page of another day."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[Route]":
        """Return the paths, and what answers each."""
        from starlette.routing import Route

        return [Route("/then", self.show_day)]

    def show_day(self, request: "Request") -> "Response":
        """Show the kit as it was at a day's end; at that before the newest where none is asked for."""
        asked = request.query_params.get("day", "")
        return self._make.answer(
            lambda kit: self._make.page(kit, "then.html", then=read_day(kit, asked), told=_tell_day)
        )


def read_day(kit: "ServedKit", asked: str) -> OtherDay | None:
    """Return the kit at the end of a day on which something changed; None without a history of two days."""
    opened = kit.opened
    days = list_days(opened)
    if len(days) < 2:
        return None
    day = asked if asked in days else days[-2]
    past, then = _turn_to(opened, day)
    at = days.index(day)
    bundle, reason = _read_bundle(kit, past)
    return OtherDay(
        day,
        days,
        len(standing_sessions(past)),
        len(past.memories),
        _read_now(past),
        bundle,
        reason,
        _read_changes(opened, past, then),
        days[at - 1] if at else "",
        days[at + 1] if at + 1 < len(days) else "",
    )


def list_days(opened: "OpenKit") -> Sequence[str]:
    """Return the days on which something of the kit changed, oldest first."""
    from reel_cli.core.git.history import read_log

    if opened.repository is None:
        return ()
    commits = read_log(opened.repository, limit=NEWEST)
    return sorted({moment(commit.time).astimezone(opened.zone).date().isoformat() for commit in commits})


def _turn_to(opened: "OpenKit", day: str) -> "tuple[PastGlance, KitMoment]":
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.kit.moment_of_kit import resolve_at
    from reel_cli.core.kit.past import PastGlance

    name = opened.root.resolve().name
    then = resolve_at(opened.repository, day, opened.zone, name)
    return PastGlance(CommitTree(opened.require_repository(), then.commit), name, opened.root), then


def _read_now(past: "PastGlance") -> Sequence[tuple[str, str]]:
    from reel_cli.features.view.gather import read_now

    return read_now(past)


def _read_bundle(kit: "ServedKit", past: "PastGlance") -> "tuple[ShownBundle | None, str]":
    """Return what a chat began with then, or why there is none."""
    from reel_cli.core.pack.build_bundle import pack_then
    from reel_cli.features.view.bundle_shares import show_bundle

    try:
        bundle = pack_then(past)
        lines = past.index.lines
        exemplars = {exemplar.slug: exemplar.title for exemplar in past.exemplars.values()}
    except ReelError as error:
        return None, error.message
    titles = {
        **kit.reader.chat_titles,
        **{name: line.description for name, line in lines.items()},
        **exemplars,
    }
    links = {name: name for name in lines if not lines[name].pruned}
    return show_bundle(bundle, titles, links, kit.reader.addresses), ""


def _read_changes(
    opened: "OpenKit", past: "PastGlance", then: "KitMoment"
) -> Sequence[tuple[str, Sequence[str]]]:
    from reel_cli.core.git.revisions import require_history
    from reel_cli.features.history.diff import compare, side_now, side_then
    from reel_cli.features.history.diff_view import list_changes

    repo, head = require_history(opened.repository, opened.root.name)
    return list_changes(compare(repo, side_then(past, then), side_now(opened.root, repo, head), head))


def _tell_day(day: str) -> str:
    return day_in_words(date.fromisoformat(day))
