"""Clicks as commands of `reel`: each a process of its own, as though it were typed in the kit's folder.

So a write has the command line's locks, its crash safety and its words, and what a person refuses at the
terminal is refused here.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.features.serve.browser_words import leave_out_commands

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 600
"""Seconds after which a command is ended."""


@frozen
class Answer:
    """A command's exit code, what it printed, and what it said."""

    code: int
    out: str
    said: str

    @property
    def ok(self) -> bool:
        """Return whether it did what was asked."""
        return self.code == 0

    @property
    def told(self) -> str:
        """Return all of it, as a person reads it at the terminal."""
        return "\n".join(part.rstrip("\n") for part in (self.said, self.out) if part.strip())

    @property
    def plain(self) -> str:
        """Return what it said, as a person reads it in the browser, who never typed a command."""
        printed = "" if self.out.startswith("{") else self.out
        return leave_out_commands(f"{printed}\n{self.said}")


def run_command(root: Path, arguments: "Sequence[str]", given: str = "") -> Answer:
    """Run `reel` on a kit, with `given` on its standard input."""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONUTF8": "1"}
    env.pop("REEL_KIT", None)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "reel_cli", "--kit", str(root), *arguments],
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            cwd=root,
            env=env,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(1, "", f"This took longer than {LONGEST // 60} minutes and was ended.")
    return Answer(done.returncode, done.stdout, done.stderr)
