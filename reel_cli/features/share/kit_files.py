"""`shares.yaml` as a kind of kit file."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.share.files import parse_shares, set_shares

if TYPE_CHECKING:
    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin


def _check(path: str, text: str) -> None:
    parse_shares(text, path)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return what both machines gave and took in, without what one of them took back since."""
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.both is None:
        return None
    texts = found.texts()
    ours, theirs, base = (parse_shares(text) for text in texts)
    made = replace(
        ours,
        given=_both(ours.given, theirs.given, base.given),
        taken=_both(ours.taken, theirs.taken, base.taken),
    )
    return JoinedFiles({found.path: set_shares(texts[0], made).encode()})


def _both(ours: Mapping[str, str], theirs: Mapping[str, str], base: Mapping[str, str]) -> Mapping[str, str]:
    """Return the entries of both sides, without those that one side took out of what they had in common."""
    gone = {key for key in base if key not in ours or key not in theirs}
    return {key: one for key, one in {**theirs, **ours}.items() if key not in gone}


SHARES_FILE = KitFileKind(_check, join=_join, known=lambda _path: ("shared", "name", "given.*", "taken.*"))
