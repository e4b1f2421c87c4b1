"""A person's own editor."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import write_private


def edit_text(path: Path, text: str) -> str:
    """Return `text` as a person edited and saved it in their editor, in a file only they can read.

    Raises ReelError where there is no editor, or it did not end well.
    """
    write_private(path, text.encode("utf-8", "replace"))
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not command:
        usual = ["notepad"] if sys.platform == "win32" else ["sensible-editor", "nano", "vi"]
        command = [name for name in usual if shutil.which(name)][:1]
    if not command or not shutil.which(command[0]):
        message = "No editor was found."
        raise ReelError(message, hint="set one:  export EDITOR=nano")
    try:
        done = subprocess.run([*command, str(path)], check=False)
        if done.returncode != 0:
            message = f"{command[0]} ended with an error; nothing was taken from it."
            raise ReelError(message)
        return path.read_text(encoding="utf-8", errors="replace")
    finally:
        path.unlink(missing_ok=True)
