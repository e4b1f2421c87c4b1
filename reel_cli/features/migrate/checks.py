"""The check whether a kit is of an earlier version than this program writes."""

from collections.abc import Iterator

from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check
from reel_cli.core.kit.migration import list_steps, parse_version
from reel_cli.core.kit.snapshot import Snapshot


def look_at_version(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding where a step to a newer version waits."""
    since = parse_version(snapshot.settings.protocol)
    if steps := list_steps(since):
        what = f"this kit is of {since}, and this program writes {steps[-1].to}"
        yield Finding("settings", what, "reel migrate", hint_only=True)


CHECKS = (Check(lambda scope: look_at_version(scope.snapshot), 122),)
