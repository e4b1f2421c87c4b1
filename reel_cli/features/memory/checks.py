"""Check for examples of which a purge took words."""

from collections.abc import Iterator

from reel_cli.core.files.exemplar_file import exemplar_path
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, CheckScope, Stage
from reel_cli.core.rings.lost_examples import list_lost, retire_command, tell_lost
from reel_cli.core.values.talk import PURGED


def _check(scope: CheckScope) -> Iterator[Finding]:
    if lost := list_lost(scope.snapshot):
        path = exemplar_path(lost[0].slug)
        mend = f"write {path} anew without {PURGED}, or  {retire_command(scope.snapshot, lost)}"
        yield Finding("examples", tell_lost(lost), mend, at=path)


CHECKS = (Check(_check, 92, Stage.PATTERNS),)
