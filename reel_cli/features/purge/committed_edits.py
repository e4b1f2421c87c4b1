"""A person's uncommitted edits that a purge commits, so that it can rewrite them with the history."""

from collections.abc import Mapping
from pathlib import Path

from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import EditKind, list_uncommitted
from reel_cli.features.purge.aim import Aim


def list_committed_edits(repo: Repository, kit: Path, aim: Aim) -> Mapping[str, EditKind]:
    """Return the uncommitted edits that a purge commits first, by kit path.

    A new file that is not the kit's stays out of its history, unless the target stands in it.
    """
    tree = WorkTree(kit)
    return {
        path: how
        for path, how in list_uncommitted(repo).items()
        if how is not EditKind.NEW
        or find_kit_file(path) is not None
        or aim.wanted.stands_in(path)
        or aim.wanted.stands_in_bytes(tree.read(path) or b"")
    }
