"""Lines on the screen in a plain evening: `reel start`, a chat in LM Studio, `reel end`, and Enter each time.

    python bench/evening.py --reel BIN [--show] [--kit KIT --chat FILE --reply FILE --now TIME]

Without a kit, two evenings are counted: the first one of README, and one on a copy of `kits/ada`. With one,
an evening of that kit, as it was when `--rev` was its last commit. Each runs at a terminal of 80 columns with
a clipboard of its own; a line that is folded there counts as often as it is seen. `--show` prints the
screens. Two versions are compared by running this twice.
"""

import argparse
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 80
PATIENCE = 60
"""Seconds without a word after which a command is given up."""
EARLIER = timedelta(minutes=10)
_CODES = re.compile(r"\x1b\][^\a]*\a|\x1bP.*?\x1b\\|\x1b\[[0-9;?]*[A-Za-z]", re.DOTALL)
_ASKS = re.compile(r"(\[[A-Za-z/]+\]|[›>]|\?) $")
CLIPBOARD = """#!/bin/sh
case "$*" in *-o*) cat "$EVENING_REPLY" ;; *) cat >/dev/null ;; esac
"""


def screen(command: list[str], cwd: Path, env: Mapping[str, str]) -> str:
    """Return what stands on the screen after a command whose every question was answered with Enter."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(cwd)
        os.execve(command[0], command, dict(env))  # noqa: S606 (the program that is measured)
    seen, last = "", time.monotonic()
    while time.monotonic() - last < PATIENCE:
        if not select.select([terminal], [], [], 0.3)[0]:
            if _ASKS.search(_CODES.sub("", seen)):
                os.write(terminal, b"\n")
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        seen, last = seen + data.decode("utf-8", "replace"), time.monotonic()
    os.close(terminal)
    if os.waitpid(process, 0)[1]:
        sys.exit(f"{' '.join(command)} failed:\n{seen}")
    # a line that was kept up to date leaves only its last state
    lines = _CODES.sub("", seen).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rpartition("\r")[2] for line in lines)


def began(chat: Path) -> datetime:
    """Return a moment shortly before a chat."""
    told = json.loads(chat.read_text())
    if "createdAt" in told:
        return datetime.fromtimestamp(told["createdAt"] / 1000, UTC) - EARLIER
    return datetime.fromisoformat(told["created_at"]).astimezone(UTC) - EARLIER


def rows(shown: str) -> int:
    """Return how many rows of the terminal a text takes."""
    return sum(max(1, -(-len(line) // COLUMNS)) for line in shown.rstrip("\n").split("\n"))


def as_lm_studio(chat: Path, home: Path) -> None:
    """Put a chat where LM Studio keeps its own."""
    told = json.loads(chat.read_text())
    folder = home / ".lmstudio/conversations"
    folder.mkdir(parents=True)
    if "createdAt" in told:
        shutil.copy(chat, folder / chat.name)
        return
    began = datetime.fromisoformat(told["created_at"]).timestamp()
    messages = [
        {"versions": [_version(one["role"], one["content"])], "currentlySelected": 0}
        for one in told["messages"]
    ]
    kept = {"name": told["title"], "createdAt": int(began * 1000), "messages": messages}
    (folder / f"{kept['createdAt']}.conversation.json").write_text(json.dumps(kept))


def _version(role: str, text: str) -> dict[str, object]:
    part = [{"type": "text", "text": text}]
    if role == "user":
        return {"type": "singleStep", "role": role, "content": part}
    return {"type": "multiStep", "role": role, "steps": [{"type": "contentBlock", "content": part}]}


class Evening(NamedTuple):
    """An evening: its name, its chat, the model's page, and when the chat is over."""

    name: str
    chat: Path
    reply: Path
    now: str


def count_evening(reel: str, kit: Path, told: Evening, *, show: bool) -> tuple[int, int]:
    """Return the rows of `reel start` and of `reel end`."""
    work = kit.parent
    home, tools = work / "home", work / "tools"
    tools.mkdir()
    (tools / "xclip").write_text(CLIPBOARD)
    (tools / "xclip").chmod(0o755)
    env = environment(home, began(told.chat).isoformat()) | {
        "DISPLAY": ":0",
        "EVENING_REPLY": str(told.reply.resolve()),
    }
    env["PATH"] = f"{tools}{os.pathsep}{env['PATH']}"
    counted = []
    for command in ("start", "end"):
        if command == "end":
            as_lm_studio(told.chat, home)
            env["REEL_NOW"] = told.now
        shown = screen([reel, command], kit, env)
        counted.append(rows(shown))
        if show:
            print(f"$ reel {command}\n{shown.rstrip()}\n")
    return counted[0], counted[1]


def environment(home: Path, now: str) -> dict[str, str]:
    """Return the surroundings of a command: a home, a clock, a name."""
    home.mkdir(exist_ok=True)
    keep = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    who = {f"GIT_{part}_{what}": value for part in ("AUTHOR", "COMMITTER") for what, value in WHO.items()}
    at = {"REEL_NOW": now, "COLUMNS": str(COLUMNS), "LINES": "40", "TERM": "xterm", "NO_COLOR": "1"}
    return {**keep, **who, **at, "HOME": str(home), "PYTHONUTF8": "1"}


WHO = {"NAME": "Bo", "EMAIL": "bo@example.org"}


def main() -> None:
    """Count the evenings that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--reel",
        type=os.path.abspath,
        default=shutil.which("reel") or str(Path(sys.executable).with_name("reel")),
    )
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--kit", type=Path)
    parser.add_argument("--rev", default="HEAD")
    parser.add_argument("--chat", type=Path)
    parser.add_argument("--reply", type=Path)
    parser.add_argument("--now")
    wanted = parser.parse_args()
    first, demo = ROOT / "demo/first-evening", ROOT / "demo"
    evenings = [
        Evening(
            "first",
            first / "1772393100000.conversation.json",
            first / "page.md",
            "2026-03-01T20:00:00+00:00",
        ),
        Evening("ada", demo / "further-session.json", demo / "reply.md", "2026-03-11T21:10:00+00:00"),
    ]
    if wanted.kit:
        evenings = [Evening(str(wanted.kit), wanted.chat, wanted.reply, wanted.now)]
    for one in evenings:
        with tempfile.TemporaryDirectory() as folder:
            kit, env = Path(folder) / "kit", environment(Path(folder) / "home", one.now)
            if wanted.kit:
                shutil.copytree(wanted.kit, kit, symlinks=True)
                subprocess.run(["git", "-C", kit, "reset", "--quiet", "--hard", wanted.rev], check=True)
                shutil.rmtree(kit / ".reel/state", ignore_errors=True)
            else:
                template = "companion" if one.name == "first" else str(ROOT / "kits/ada")
                begin = [wanted.reel, "init", str(kit), "--template", template, "--name", "Ada"]
                subprocess.run(begin, env=env, check=True, capture_output=True, stdin=subprocess.DEVNULL)
            start, end = count_evening(wanted.reel, kit, one, show=wanted.show)
            print(f"{one.name}: start {start}, end {end}, together {start + end}", flush=True)


if __name__ == "__main__":
    main()
