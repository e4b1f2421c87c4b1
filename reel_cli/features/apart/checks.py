"""The check of a chat kept apart: whether the kit it is a copy of is there."""

from collections.abc import Iterator

from reel_cli.core.finding import Finding
from reel_cli.core.kit.apart_kits import APART, home_of, read_apart
from reel_cli.core.kit.checkup import Check, CheckScope


def _look(scope: CheckScope) -> Iterator[Finding]:
    note = read_apart(scope.kit)
    if note is not None and not (home_of(scope.kit, note) / "kit.yaml").is_file():
        what = f"the kit that this chat takes in from is not there ({note.home})"
        mend = "bring that folder back; if it was renamed, rename the folder of its chats with it"
        yield Finding("apart", what, mend, hint_only=True, at=APART)


CHECKS = (Check(_look, 113),)
