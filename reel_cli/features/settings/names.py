"""The names of persona and person in the texts of a kit: put right where a text is still the template's."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.values.settings import UNNAMED, Settings

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot

KEYS = ("name", "user")
"""The settings that are names which texts have as well."""
MOST_EARLIER = 20
"""Number of changes of kit.yaml that are looked at for earlier names."""
_FOLDERS = ("ring0", "ring1", "ring2")


def plan_texts(snapshot: "Snapshot", after: Settings) -> Mapping[str, bytes]:
    """Return the texts that are still the template's own, with the names as they are after a change.

    A kit in which a chat is recorded has none: from then on its texts are approved as they are.
    """
    from reel_cli.features.init.template import fill_in, list_templates, read_template

    if snapshot.sessions:
        return {}
    before = snapshot.settings
    was, now = ({"name": one.name, "user": one.user} for one in (before, after))
    held = {path: snapshot.read(path) for path in _paths(snapshot)}
    fresh: dict[str, bytes] = {}
    for name, _ in list_templates():
        files = {path: data for path, data in read_template(name).files.items() if path in held}
        old, new = fill_in(files, was), fill_in(files, now)
        fresh |= {path: new[path] for path in files if held[path] == old[path] != new[path]}
    return fresh


def list_places(snapshot: "Snapshot", name: str) -> Sequence[str]:
    """Return the texts in which a name stands, as whole words."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return [path for path in _paths(snapshot) if pattern.search(snapshot.text(path) or "")]


def list_earlier(repo: "Repository", key: str, now: Settings) -> Sequence[str]:
    """Return the names that a setting had before, the last one first, without those that are in use now."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.files.yaml_text import parse_mapping
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import read_log

    found: dict[str, None] = {}
    for commit in read_log(repo, paths=["kit.yaml"], limit=MOST_EARLIER):
        with CommitTree(repo, commit.id) as tree:
            text = (tree.read("kit.yaml") or b"").decode("utf-8", "replace")
        try:
            found[str(parse_mapping(text, "kit.yaml").get(key, ""))] = None
        except ReelError:
            # a version that was mended since
            continue
    return [name for name in found if name and name not in (now.name, now.user, UNNAMED)]


def _paths(snapshot: "Snapshot") -> Sequence[str]:
    return [path for folder in _FOLDERS for path in snapshot.list(folder) if path.endswith(".md")]
