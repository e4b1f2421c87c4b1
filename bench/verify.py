"""`reel tape verify` against `git fsck`, and `reel recall` against `reel status`: in turn, all warm.

The kit is one whose sessions grew many times.

python bench/verify.py [--sessions 500] [--appends 4] [--memories 500] [--runs 9] [--kit PATH]
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from large_kit import Chance, contents, conversation, make_large_kit, session_name
from timing import compare, run

from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import append_entries, first_entries, render_session
from reel_cli.core.values.talk import Entry, Event, session_path

GOAL = 3.0
GOAL_OF_RECALL = 2.0
EVENTS = "tape/events.md"


def grow(folder: Path, sessions: int, appends: int, memories: int, seed: int = 1) -> None:
    """Make the kit: each session is recorded and then grows `appends` times, a commit each time."""
    make_large_kit(folder, 0, 0, seed=seed)
    stream = subprocess.Popen(["git", "fast-import", "--quiet", "--force"], cwd=folder, stdin=subprocess.PIPE)
    assert stream.stdin is not None
    moment = 1_704_137_400
    for number, (subject, files) in enumerate(_commits(sessions, appends, memories, seed)):
        head = f"commit refs/heads/main\ncommitter Bo Lind <bo@example.org> {moment + 60 * number} +0000\n"
        text = f"{subject}\n\nReel-Op: record\n".encode()
        stream.stdin.write(head.encode() + b"data %d\n" % len(text) + text)
        if number == 0:
            stream.stdin.write(b"from refs/heads/main^0\n")
        for path, data in files:
            stream.stdin.write(f"M 100644 inline {path}\n".encode() + b"data %d\n" % len(data) + data + b"\n")
    stream.stdin.close()
    assert stream.wait() == 0
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)


def _commits(
    sessions: int, appends: int, memories: int, seed: int
) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Every commit's subject and files, oldest first."""
    chance = Chance(seed)
    said = [conversation(number, chance) for number in range(sessions)]
    more = random.Random(seed)  # noqa: S311 (nothing secret)
    events: bytes | None = None
    for number, spoken in enumerate(said):
        name = session_name(number)
        path = session_path(name)
        data = render_session(name, spoken)
        yield f"record: {name}", [(path, data)]
        for round_ in range(appends):
            longer = conversation(number, chance)
            start = len(spoken.messages) * (round_ + 1)
            entries = [Entry(e.number and e.number + start, e.message) for e in first_entries(longer)]
            data = append_entries(data, entries, path)
            files = [(path, data)]
            if more.random() < 0.1:
                at = f"{name[:10]}T21:00:00+00:00"
                events = append_events(events, [Event(0, "flag", at, chance.sentence())], EVENTS)
                files.append((EVENTS, events))
            yield f"record: {name}, more", files
    rings = [(path, data) for path, data in contents(memories, sessions, seed) if path.startswith("ring")]
    yield "consolidate: all of it", rings


def main() -> int:
    """Measure, print the ratio, and end with 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--appends", type=int, default=4)
    parser.add_argument("--memories", type=int, default=500)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--kit", type=Path, help="a kit that is there already")
    asked = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    with tempfile.TemporaryDirectory() as work:
        kit = asked.kit or Path(work) / "ada"
        if asked.kit is None:
            grow(kit, asked.sessions, asked.appends, asked.memories)
        for packed in (False, True):
            if packed:
                subprocess.run(["git", "gc", "-q"], cwd=kit, check=True)
            both = compare(
                lambda: run([sys.executable, "-m", "reel_cli", "tape", "verify"], kit),
                lambda: run(["git", "fsck", "--no-progress"], kit),
                runs=asked.runs,
            )
            times = f"{both.first.wall * 1000:.0f} : {both.second.wall * 1000:.0f} ms"
            what = "gc'd" if packed else "as it was made"
            print(f"reel tape verify : git fsck ({what})  {both.wall:.2f} ({times}; cpu {both.cpu:.2f})")
        words = ("recall", "the letter and the lamp by the window")
        run([sys.executable, "-m", "reel_cli", *words], kit)
        found = compare(
            lambda: run([sys.executable, "-m", "reel_cli", *words], kit),
            lambda: run([sys.executable, "-m", "reel_cli", "status"], kit),
            runs=asked.runs,
        )
        times = f"{found.first.wall * 1000:.0f} : {found.second.wall * 1000:.0f} ms"
        print(f"reel recall : reel status, from the shell  {found.wall:.2f} ({times}; cpu {found.cpu:.2f})")
    return 0 if both.wall <= GOAL and found.wall <= GOAL_OF_RECALL else 1


if __name__ == "__main__":
    sys.exit(main())
