"""A person's uncommitted edits: those that a purge commits and rewrites with the history, and loose files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import EditKind, is_loose, list_loose, list_uncommitted
from reel_cli.features.purge.aim import Aim


def list_committed_edits(repo: Repository) -> Mapping[str, EditKind]:
    """Return the uncommitted edits that a purge commits first, by kit path; no new file beside the kit's."""
    return {path: how for path, how in list_uncommitted(repo).items() if not is_loose(path, how)}


def list_loose_files(repo: Repository, kit: Path, aim: Aim) -> Sequence[str]:
    """Return the new files beside the kit's own that a purge rewrites where they are.

    They stay out of the kit's history: a person put them there for reasons of their own.
    """
    tree = WorkTree(kit)
    return [
        path
        for path in list_loose(repo)
        if aim.wanted.stands_in(path) or aim.wanted.stands_in_bytes(tree.read(path) or b"")
    ]
