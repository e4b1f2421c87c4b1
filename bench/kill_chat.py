"""Kills `reel chat` at every step it makes: python bench/kill_chat.py --every 3 --from 1

The chat is a process of its own, with the tests' own server. A signal strikes it at each so many-th step:
before and after every write to the screen and to the chat's own file, and at every other file that it opens,
renames or deletes and every process that it starts. SIGKILL, SIGTERM and SIGHUP in turn; with --chained the
next command, which puts the chat on the tape, is killed as well. Checked after each: whatever the screen
showed, and whatever the server was sent, is on the tape once, nothing waits, history and work tree agree, and
every session's chain of hashes is whole.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kill import MEMORY

from tests.support import chat_server, killed_chat
from tests.support.forked_program import run_forked
from tests.support.killed_program import killed_at

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)


def reel(kit: Path, *arguments: str) -> tuple[int, str]:
    """Run a command in the kit; its exit code and all that it printed."""
    code, out, err = run_forked(arguments, kit, b"", dict(os.environ))
    return code, (out + err).decode()


def check(kit: Path, struck: killed_chat.Struck) -> str:
    """Return the faults of a kit after a chat was killed and another command ran; "" for none."""
    code, said = reel(kit, "status")
    if code:
        return f"status: {code} {said}"
    if lost := killed_chat.lost(kit, struck):
        return f"shown and not kept: {lost}"
    if twice := killed_chat.twice(kit):
        return f"kept twice: {twice}"
    if waiting := killed_chat.waiting(kit):
        return f"waits: {waiting}"
    if os.popen(f"git -C {kit} status --porcelain").read():  # noqa: S605
        return "history and work tree do not agree"
    return ""


def main() -> int:
    """Strike at every so many-th step until the chat has no more, and say what came of it."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--every", type=int, default=3)
    reader.add_argument("--from", type=int, default=1, dest="first")
    reader.add_argument("--signal", choices=[one.name for one in SIGNALS], help="only this one")
    reader.add_argument("--minutes", type=float, default=1e9, help="stop after so long")
    reader.add_argument("--chained", type=int, default=0, help="kill the next command too, at this write")
    asked = reader.parse_args()
    os.environ.update(
        {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": tempfile.mkdtemp()}
    )
    os.environ["REEL_NOW"] = "2026-03-01T20:00:00+00:00"
    os.environ["GIT_AUTHOR_NAME"] = os.environ["GIT_COMMITTER_NAME"] = "Bo Lind"
    os.environ["GIT_AUTHOR_EMAIL"] = os.environ["GIT_COMMITTER_EMAIL"] = "bo@example.org"
    chat_server.PIECE = 9
    signals = [one for one in SIGNALS if asked.signal in (None, one.name)]
    struck_by = dict.fromkeys(signals, 0)
    chained = wrong = half = 0
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name,
        chat_server.serve_chats() as server,
    ):
        server.say = killed_chat.answer
        code, said = reel(Path(name), "init", "ada", "--template", "companion", "--name", "Ada")
        assert code == 0, said
        at = asked.first
        done: set[signal.Signals] = set()
        while len(done) < len(signals) and time.monotonic() - began < asked.minutes * 60:
            for number in signals:
                if number in done:
                    continue
                kit = killed_chat.fresh(Path(name, "ada"), Path(name, "scratch", "ada"))
                struck = killed_chat.strike(kit, server, at, number)
                if struck is None:
                    done.add(number)
                    continue
                struck_by[number] += 1
                half += bool(struck.out) and not struck.out.endswith("\n")
                if asked.chained:
                    chained += killed_at(asked.chained, kit, "status") < 0
                if fault := check(kit, struck):
                    wrong += 1
                    print(f"{number.name} at {at}: {fault}", flush=True)
            at += asked.every
    kills = sum(struck_by.values())
    told = ", ".join(f"{count} {number.name}" for number, count in struck_by.items())
    print(f"{kills} kills ({told}), {half} of them in the middle of a line on the screen; {chained} chained")
    print(f"steps {asked.first} to {at}, every {asked.every}; {time.monotonic() - began:.0f} s")
    print(f"kits where something shown, or sent, was not kept, or that were wrong otherwise: {wrong}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
