"""A kit made from the example `ada`, and reel run on it as a person would."""

import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clients.local_server import ANSWERS
from clients.workshop import ZONE, Result, run_command

CHECKOUT = Path(__file__).resolve().parents[2]
QUESTIONS = tuple(ANSWERS)
EVENING = [
    turn for question, answer in ANSWERS.items() for turn in (("user", question), ("assistant", answer))
]
"""The whole chat that a program is made to have: what is asked, and what the server answers."""
_HEAD = re.compile(rb'^<!-- (\{"(?:n|role)": .*\}) -->\n', re.MULTILINE)


class Kit:
    """A kit in a folder of its own; nothing of it touches the kits of this machine."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.path, self._home = folder / "ada", folder / "home"
        self._home.mkdir()
        # a client starts reel with few variables: what git knows of its user stands in a file
        (self._home / ".gitconfig").write_text("[user]\n\tname = Tomas\n\temail = tomas@example.org\n")
        made = self._run("init", str(self.path), "--template", str(CHECKOUT / "kits/ada"), cwd=folder)
        assert made.code == 0, made.err

    def reel(self, *words: str | Path, said: str = "", more: Mapping[str, str] | None = None) -> Result:
        """Run a command of reel on the kit."""
        return self._run(*map(str, words), said=said, more=more, cwd=self.path)

    def _run(self, *words: str, cwd: Path, said: str = "", more: Mapping[str, str] | None = None) -> Result:
        return run_command(
            [str(REEL), *words], said=said, env={**self.environment(), **(more or {})}, cwd=cwd
        )

    def environment(self) -> dict[str, str]:
        """Return the variables that reel is run with."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REEL_", "XDG_", "GIT_"))
        }
        return {**kept, "HOME": str(self._home), "TZ": ZONE, "COLUMNS": "100"}

    def record(self, *words: str | Path) -> list[dict[str, Any]]:
        """Record chats, and return what reel says of each."""
        done = self.reel("record", *words, "--yes", "--json")
        assert done.code == 0, f"reel record {' '.join(map(str, words))}: {done.err or done.out}"
        rows: list[dict[str, Any]] = json.loads(done.out)["recorded"]
        return rows

    def sessions(self) -> list[str]:
        """Return the names of all recorded sessions."""
        return sorted(path.stem for path in self.path.glob("tape/*/*.md"))

    def messages(self, session: str) -> list[tuple[dict[str, Any], str]]:
        """Return the messages of a session as the tape has them: their heads, and their texts."""
        [path] = self.path.glob(f"tape/*/{session}.md")
        data, found, at = path.read_bytes(), [], 0
        while (head := _HEAD.search(data, at)) is not None:
            about = json.loads(head[1])
            at = head.end() + about["bytes"]
            found.append((about, data[head.end() : at].decode()))
        return found

    def started(self, session: str) -> str | None:
        """Return when a session began, as the head of its file has it."""
        [path] = self.path.glob(f"tape/*/{session}.md")
        found = re.search(r"(?m)^started: (\S+)$", path.read_text("utf-8").partition("\n---\n")[0])
        return found[1] if found else None

    def said(self, session: str) -> list[tuple[str, str]]:
        """Return what was said in a session: who spoke, and the words."""
        return [(about["role"], text) for about, text in self.messages(session) if about["kind"] == "said"]


REEL = Path(sys.executable).with_name("reel")
