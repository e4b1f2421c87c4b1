"""Checks of what waits for a person's decision."""

from collections.abc import Iterator

from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.review.proposals import Kind, list_proposals


def look_at_disagreements(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield how many pairs of things are held that do not agree, and wait for a word."""
    pairs = sum(one.kind is Kind.CONTRADICTION for one in list_proposals(snapshot))
    if pairs:
        many = "two things that are held do" if pairs == 1 else f"{pairs:,} pairs of things that are held do"
        what = f"{many} not agree, and wait for your decision"
        yield Finding("review", what, "reel review", hint_only=True)


CHECKS = (Check(lambda scope: look_at_disagreements(scope.snapshot), 70),)
