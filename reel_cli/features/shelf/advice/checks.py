"""Checks of the manifests of advice: unreadable ones, and dead references."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check
from reel_cli.core.shell import quote
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.advice.advice import ACTIONS
from reel_cli.features.shelf.advice.files import COLD, HOT, LISTS, MANIFESTS, entries_of
from reel_cli.features.shelf.advice.paths import belongs
from reel_cli.features.shelf.files import list_shelf

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

CHECK = "advice"
SHOWN = 5
_MEND = "correct it in the file, or ask again:  reel shelf advise"


def look_at_advice(snapshot: "Snapshot") -> Iterator[Finding]:
    """Yield a finding for everything wrong with the manifests; nothing if there are none."""
    listed: dict[str, list[dict[str, str]]] = {}
    for path in MANIFESTS:
        try:
            data = snapshot.read(path)
            if data is None:
                continue
            if has_marks(data):
                what = f"{path} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
                yield Finding(CHECK, what, "keep both sides, and delete the lines with the marks", at=path)
                continue
            listed[path] = entries_of(snapshot.text(path) or "", path)
        except ReelError as error:
            mend = error.hint or f"reel restore {quote(path)}"
            yield Finding(CHECK, error.message.rstrip("."), mend, at=path)
    odd = list(_odd(snapshot, listed))
    for path, what in odd[:SHOWN]:
        yield Finding(CHECK, what, _MEND, hint_only=True, at=path)
    if len(odd) > SHOWN:
        yield Finding(CHECK, f"{len(odd) - SHOWN:,} more lines of advice like that", _MEND, hint_only=True)


def _odd(snapshot: "Snapshot", listed: dict[str, list[dict[str, str]]]) -> Iterator[tuple[str, str]]:
    at_hand: set[str] | None = None
    both = {one["path"] for one in listed.get(HOT, ())} & {one["path"] for one in listed.get(COLD, ())}
    for path in (HOT, COLD):
        times = Counter(one["path"] for one in listed.get(path, ()))
        for one in listed.get(path, ()):
            named, shown = one["path"], one_line(one["path"], 80)
            if at_hand is None:
                at_hand = {*list_shelf(snapshot), *snapshot.list("ring3")}
            if named not in at_hand and not _belongs(snapshot, named):
                yield path, f"{path}: the kit has no file called “{shown}”"
            action = one.get("suggested_action", "")
            if path == COLD and action and action not in ACTIONS:
                yield path, f"{path}: {one_line(action, 40)!r} is no action ({shown})"
            if times.pop(named, 1) > 1:
                yield path, f"{path}: {shown} stands in {LISTS[path]} more than once"
            if path == COLD and named in both:
                yield path, f"{shown} stands in {HOT} and in {COLD}; it stays at hand"


def _belongs(snapshot: "Snapshot", path: str) -> bool:
    try:
        return belongs(snapshot, path)
    except ReelError:
        return False


CHECKS = (Check(lambda scope: look_at_advice(scope.snapshot), 120),)
