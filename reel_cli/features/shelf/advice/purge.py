"""The manifests of advice with something purged out of them."""

from reel_cli.core.errors import ReelError
from reel_cli.core.files.entry_list import set_entries
from reel_cli.core.tape.erasure.target import MARK
from reel_cli.features.shelf.advice.files import COLD, HOT, LISTS, entries_of


def purge_manifest(data: bytes, path: str, session: str) -> bytes:
    """Return `hot.yml` or `cold.yml` without the reasons that were said in a purged session."""
    if path not in (HOT, COLD):
        return data
    try:
        text = data.decode("utf-8")
        entries = entries_of(text, path)
    except (ReelError, UnicodeDecodeError):
        return data
    mine = [one for one in entries if one.get("said", "").partition("#")[0] == session and one.get("why")]
    if not mine:
        return data
    once = {one["path"]: {**one, "why": MARK} if one in mine else one for one in reversed(entries)}
    return set_entries(text, LISTS[path], {}, list(once.values())[::-1]).encode()
