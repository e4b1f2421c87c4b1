"""Checks of what a kit shares: whether the shared kit is there, and holds what this one says it does."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, CheckScope
from reel_cli.core.shell import quote
from reel_cli.features.share.files import SHARES
from reel_cli.features.share.shared_kit import SharedKit, named_kit, read_shares


def _look(scope: CheckScope) -> Iterator[Finding]:
    if scope.snapshot.read(SHARES) is None:
        return
    try:
        shares = read_shares(scope.snapshot)
        shared = named_kit(scope.kit, shares)
        if shared is None or not shared.there:
            what = f"the shared kit that {SHARES} names is not there ({shares.shared or 'none'})"
            yield _finding(what, f"bring that folder back, or correct  shared:  in {SHARES}")
            return
        yield from _look_inside(shared)
    except ReelError as error:
        yield _finding(error.message.rstrip("."), error.hint or "")
        return
    for memory, shared_id in {**shares.given, **shares.taken}.items():
        if shared_id not in shared.memories and not any(shared_id in path for path in shared.broken):
            what = f"{SHARES}: {memory} is shared as {shared_id}, which the shared kit does not have"
            yield _finding(what, f"bring it back from that kit's history, or take out the line of {memory}")


def _look_inside(shared: SharedKit) -> Iterator[Finding]:
    if shared.open_to_others:
        what = "other accounts on this machine can read the shared kit's folder"
        yield _finding(what, f"chmod 700 {quote(str(shared.root))}")
    for path, why in shared.broken.items():
        yield _finding(f"the shared kit: {why.rstrip('.')}", f"correct {shared.root / path}")
    for name, group in shared.groups.items():
        for kit in group:
            if kit not in shared.kits:
                what = f"the shared kit: {kit}, in the group {name}, is none of its kits"
                yield _finding(what, f"correct {shared.root}/shared.yaml")


def _finding(what: str, mend: str) -> Finding:
    return Finding("share", what, mend, hint_only=True, at=SHARES)


CHECKS = (Check(_look, 112),)
