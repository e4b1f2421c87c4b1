"""Recording a whole export against `git add` and `git commit` of the same files, and one session more.

    python bench/record.py --runs 5 [--sessions 551] [--megabytes 119] [--message-bytes 2048]

The export is made of the text of the shared data (REEL_SHARED_DATA, else ../shared/data), repeated with
variations, as a list of conversations in OpenAI's form. A text is a message, which makes 640 bytes on the
tape; with `--message-bytes`, several of them are one, until it has as many. `reel record` takes it in as a
whole command, in a fresh kit; git, in a fresh repository of its own, takes the files that came of it. In
turn, so that a slow moment of the machine falls on both. Then one conversation more is recorded, on the whole
tape and on one of a tenth the length.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from timing import Compared, Taken, compare, run

DATA = Path(os.environ.get("REEL_SHARED_DATA", HERE.parents[1] / "shared/data"))
REEL = [sys.executable, "-m", "reel_cli"]
WORDS = ("amber", "boat", "quiet", "river", "lamp", "north", "seven", "violet")
GOAL = 1.5
GOAL_OF_ONE = 1.25


def main() -> int:
    """Measure, print, and return 1 where a goal is missed."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--runs", type=int, default=5)
    reader.add_argument("--sessions", type=int, default=551)
    reader.add_argument("--megabytes", type=float, default=119)
    reader.add_argument("--message-bytes", type=int, default=0)
    asked = reader.parse_args()
    make = partial(make_export, least=asked.message_bytes)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(Path(folder), asked.runs, asked.sessions, int(asked.megabytes * 1e6), make))
    return int(any(not met for *_, met in rows))


def measure(
    work: Path, runs: int, sessions: int, size: int, make: Callable[..., None]
) -> Iterator[tuple[str, str, str, bool]]:
    """Each thing measured: what, the goal, the figure, and whether it meets the goal."""
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "Bo", f"GIT_{who}_EMAIL": "bo@example.org"}
    os.environ["PYTHONPATH"] = str(HERE.parent)
    empty = work / "empty"
    run([*REEL, "init", str(empty), "--name", "Ada"], work)
    make(work / "export.json", sessions, size)
    make(work / "tenth.json", max(1, sessions // 10), size // 10)
    large, small = fresh(empty, work / "large"), fresh(empty, work / "small")
    run([*REEL, "record", str(work / "export.json")], large)
    run([*REEL, "record", str(work / "tenth.json")], small)
    tape = sum(file.stat().st_size for file in large.glob("tape/*/*.md"))

    def with_reel() -> Taken:
        kit = fresh(empty, work / "a")
        return run([*REEL, "record", str(work / "export.json")], kit)

    def with_git() -> Taken:
        place = fresh(large / "tape", work / "b/tape").parent
        shutil.rmtree(place / ".git", ignore_errors=True)
        subprocess.run(["git", "init", "-q"], cwd=place, check=True)
        return run(["sh", "-c", "git add tape && git commit -q -m tape"], place)

    whole = compare(with_reel, with_git, runs=runs, warm=1)
    what = f"reel record, {sessions} sessions, {tape / 1e6:.0f} MB of tape : git add + git commit of it"
    yield report(what, whole, GOAL)

    def one_more(kit: Path, seed: int) -> Taken:
        make(work / "one.json", 1, 20_000, seed=seed)
        return run([*REEL, "record", str(work / "one.json")], kit)

    # no copies here: what is known of a tape is known of its very files
    seeds = iter(range(2, 1000))
    one = compare(
        lambda: one_more(large, next(seeds)), lambda: one_more(small, next(seeds)), runs=runs * 3, warm=1
    )
    yield report("reel record, one conversation, on that tape : on a tenth of it", one, GOAL_OF_ONE)
    peak = whole.first.peak
    yield show("peak memory of recording them all", "none set", f"{peak:.0f} MB", met=True)


def report(what: str, both: Compared, goal: float) -> tuple[str, str, str, bool]:
    """One comparison as a row."""
    times = f"{both.first.wall * 1000:.0f} : {both.second.wall * 1000:.0f} ms"
    return show(what, f"<= {goal}", f"{both.wall:.2f} (cpu {both.cpu:.2f}; {times})", met=both.wall <= goal)


def show(what: str, goal: str, figure: str, *, met: bool) -> tuple[str, str, str, bool]:
    """Print a row, and return it."""
    print(f"{what:<86} {figure:<42} goal {goal:<10} {'ok' if met else 'MISSED'}", flush=True)
    return what, goal, figure, met


def make_export(path: Path, sessions: int, size: int, seed: int = 1, least: int = 0) -> None:
    """Write so many conversations of so many bytes of tape in all, `least` bytes a message at least."""
    texts = real_texts()
    draw = random.Random(seed)  # noqa: S311 (a seeded draw)
    # one at a time: what this process holds counts as the peak of those it starts
    with path.open("w", encoding="utf-8") as file:
        for number in range(sessions):
            talk = make_talk(texts, draw, number, size // sessions, seed, least)
            file.write("," if number else "[")
            json.dump(talk, file, ensure_ascii=False)
        file.write("]")


def make_talk(  # noqa: PLR0913
    texts: Sequence[str], draw: random.Random, number: int, size: int, seed: int, least: int
) -> dict[str, object]:
    """One conversation of so many bytes of tape."""
    messages: list[dict[str, str]] = []
    while size > 0:
        text = f"{draw.choice(texts)} ({draw.choice(WORDS)} {draw.randrange(10**6)})"
        while len(text) < least:
            text = f"{text}\n\n{draw.choice(texts)}"
        messages.append({"role": ("user", "assistant")[len(messages) % 2], "content": text})
        size -= len(text.encode()) + 110
    day = f"{2020 + seed}-{1 + number % 12:02}-{1 + number // 12 % 28:02}"
    return {
        "id": f"talk-{seed}-{number}",
        "title": f"Talk {number}",
        "created_at": f"{day}T{number % 24:02}:10:00+00:00",
        "messages": messages,
    }


@cache
def real_texts() -> list[str]:
    """Return what people and models wrote, in the shared data."""
    files = sorted(DATA.glob("realmem/*.json"))
    if not files:
        sys.exit(f"there is no text to record in {DATA}; name it with REEL_SHARED_DATA")
    return [text for file in files for text in strings(json.loads(file.read_text(encoding="utf-8")))]


def strings(value: object) -> Iterator[str]:
    """Every text of some length in a JSON value."""
    if isinstance(value, str) and len(value) > 20:
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def fresh(source: Path, target: Path) -> Path:
    """A copy of a folder, in place of an earlier one."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


if __name__ == "__main__":
    sys.exit(main())
