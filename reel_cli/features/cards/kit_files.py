"""Files in `card/` and `lore/`: kept as they came, and read again for an export."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.cards.kept_card import check_kept, is_kept


def _check(path: str, data: bytes) -> None:
    if is_kept(path):
        check_kept(data, path)


KEPT = KitFileKind(check_bytes=_check)
