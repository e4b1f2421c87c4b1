"""The merge of two texts that came from one, as git merges them."""

import tempfile
from pathlib import Path

from reel_cli.core.files.private import write_private
from reel_cli.core.git.process import git_process


def merge_texts(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Merge two texts that came from one; None where both changed the same place."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("ours", "base", "theirs")
        for name, data in zip(names, (ours, base, theirs), strict=True):
            write_private(Path(folder) / name, data)
        done = git_process(Path(folder), "merge-file", "-p", "-q", *names)
    return done.stdout if done.returncode == 0 else None
