"""`make bench`: what is promised of speed, measured in one run, as ratios; written to bench/results.md.

python bench/run.py [--runs 15] [--kills 500] [--changes 1000] [--only NAME]
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from large_kit import Chance, make_large_kit
from timing import Compared, Taken, compare, run

from tests.support.pages import chat, page

PYTHON = sys.executable
REEL = [PYTHON, "-m", "reel_cli"]
BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None:\n    print('hello')\napp()\n"
Row = tuple[str, str, str, bool]
"""A measure, its goal, the figure, and whether the goal is met."""


def main() -> int:
    """Measure everything asked for; 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--only", choices=["pack", "version", "checkpoint", "trust"])
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        parts: dict[str, Callable[[], Iterator[Row]]] = {
            "version": lambda: measure_version(work, options.runs),
            "pack": lambda: measure_pack(work, options.runs),
            "checkpoint": lambda: measure_checkpoint(work, options.runs),
            "trust": lambda: measure_trust(options.kills, options.changes),
        }
        for name, measure in parts.items():
            if options.only in (None, name):
                for row in measure():
                    print(
                        f"{row[0]:<66} {row[2]:<34} goal {row[1]:<18} {'ok' if row[3] else 'MISSED'}",
                        flush=True,
                    )
                    rows.append(row)
    if options.only is None:
        (HERE / "results.md").write_text(render(rows), encoding="utf-8")
    return 0 if all(row[3] for row in rows) else 1


def measure_version(work: Path, runs: int) -> Iterator[Row]:
    """`reel --version` against Python doing nothing."""
    reel = shutil.which("reel")
    command = [reel] if reel else REEL
    both = compare(
        lambda: run([*command, "--version"], work), lambda: run([PYTHON, "-c", "pass"], work), runs=runs
    )
    yield _ratio("reel --version : python -c pass", both, 2.0)


def measure_pack(work: Path, runs: int) -> Iterator[Row]:
    """`reel pack`, warm: a large kit against a small one, and against a bare Typer program."""
    large, small = work / "large", work / "small"
    make_large_kit(large, 5000, 500)
    make_large_kit(small, 50, 5)
    bare = work / "bare.py"
    bare.write_text(BARE)
    for kit in (large, small):
        for _ in range(3):
            run([*REEL, "pack"], kit)
    pack = [*REEL, "pack"]
    sizes = compare(lambda: run(pack, large), lambda: run(pack, small), runs=runs)
    yield _ratio("reel pack, 5,000 memories and 500 sessions : 50 memories", sizes, 1.3)
    typer = compare(lambda: run(pack, large), lambda: run([PYTHON, str(bare)], work), runs=runs)
    yield _ratio("reel pack, 5,000 memories : a bare Typer program", typer, 2.0)
    plain = work / "plain"
    shutil.copytree(small, plain)
    with (plain / "kit.yaml").open("a") as file:
        file.write("buffer: {cycles: 0}\n")
    for _ in range(2):
        run(pack, plain)
    began = compare(lambda: run(pack, small), lambda: run(pack, plain), runs=runs)
    yield _ratio("reel pack, 50 memories : the same without how the conversation began", began, 1.1)
    wide = [*REEL, "pack", "--window", "128k"]
    for kit in (large, small):
        run(wide, kit)
    far = compare(lambda: run(wide, large), lambda: run(wide, small), runs=runs)
    times = f"{far.wall:.2f} ({far.first.wall * 1000:.0f} : {far.second.wall * 1000:.0f} ms)"
    yield ("the same at 128K, where far more is loaded", "none set", times, True)
    make_story(large, 200)
    warm = [*pack, "--boot", "--window", "32k"]
    cold = [*pack, "--window", "32k"]
    for command in (warm, cold):
        run(command, large)
    woken = compare(lambda: run(warm, large), lambda: run(cold, large), runs=runs)
    yield _ratio("reel pack --boot, a story of 200 chapters : reel pack, at 32K", woken, 1.5)
    peak = max(sizes.first.peak, far.first.peak, woken.first.peak)
    yield ("peak memory of reel pack, 5,000 memories", "<= 60 MB", f"{peak:.0f} MB", peak <= 60)


def make_story(kit: Path, chapters: int) -> None:
    """A story as many dreams leave it, about a page a chapter."""
    chance, text = Chance(1), "# History\n"
    for number in range(chapters):
        told = "\n\n".join(chance.text(9) for _ in range(6))
        text += f'\n## {chance.title()}\n\n<!-- dream: {{"batch": {number}}} -->\n\n{told}\n'
    (kit / "story").mkdir()
    (kit / "story" / "history.md").write_text(text)


def measure_checkpoint(work: Path, runs: int) -> Iterator[Row]:
    """`reel checkpoint --reply` against `git add` and `git commit` of the same files."""
    first = work / "told"
    env = {"GIT_AUTHOR_NAME": "Bo", "GIT_AUTHOR_EMAIL": "bo@example.org"}
    env |= {"GIT_COMMITTER_NAME": "Bo", "GIT_COMMITTER_EMAIL": "bo@example.org"}
    os.environ.update(env)
    run([*REEL, "init", str(first), "--name", "Ada"], work)
    (work / "chat.json").write_text(chat())
    (work / "page.md").write_text(page())
    run([*REEL, "record", str(work / "chat.json")], first)
    after = work / "after"
    shutil.copytree(first, after)
    run([*REEL, "checkpoint", "--reply", str(work / "page.md"), "--yes"], after)
    changed = _git(after, "show", "--name-only", "--format=", "HEAD").split()

    def with_reel() -> Taken:
        kit = _fresh(first, work / "a")
        return run([*REEL, "checkpoint", "--reply", str(work / "page.md"), "--yes"], kit)

    def with_git() -> Taken:
        kit = _fresh(first, work / "b")
        for path in changed:
            (kit / path).parent.mkdir(exist_ok=True)
            shutil.copy(after / path, kit / path)
        return run(["sh", "-c", 'git add -- "$@" && git commit -q -m page', "sh", *changed], kit)

    both = compare(with_reel, with_git, runs=runs)
    more = (both.first.wall - both.second.wall) * 1000
    figure = f"+{more:.0f} ms ({both.first.wall * 1000:.0f} : {both.second.wall * 1000:.0f} ms)"
    yield ("reel checkpoint --reply --yes : git add + git commit", "<= +350 ms", figure, more <= 350)


def measure_trust(kills: int, changes: int) -> Iterator[Row]:
    """Stopped at every write and at random instants; two processes at once."""
    for name, arguments, wanted in (
        (
            "kill.py",
            ["--kills", str(kills), "--seed", "1"],
            "kits between: 0  edits harmed: 0  locks left: 0",
        ),
        ("interleave.py", ["--changes", str(changes)], "lost: 0"),
    ):
        done = subprocess.run(
            [PYTHON, str(HERE / name), *arguments], capture_output=True, text=True, check=False
        )
        last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()[-200:]
        yield (
            f"bench/{name} {' '.join(arguments)}",
            "nothing harmed",
            last,
            done.returncode == 0 and wanted in done.stdout,
        )


def _ratio(what: str, both: Compared, goal: float) -> Row:
    times = f"{both.first.wall * 1000:.0f} : {both.second.wall * 1000:.0f} ms"
    figure = f"{both.wall:.2f} (cpu {both.cpu:.2f}; {times})"
    return what, f"<= {goal}", figure, both.wall <= goal


def _fresh(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def render(rows: list[Row]) -> str:
    """The results as a page."""
    lines = [
        "# Measured",
        "",
        (
            f"`make bench` on {datetime.now(UTC):%d %B %Y}: Python {platform.python_version()}, "
            f"{os.cpu_count()} processors, {platform.system()} {platform.machine()}. "
            "Ratios are medians of pairs run in turn; absolute times are this machine's."
        ),
        "",
        "| what | goal | measured | |",
        "| --- | --- | --- | --- |",
        *(
            f"| {what} | {goal} | {figure} | {'' if met else '**missed**'} |"
            for what, goal, figure, met in rows
        ),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
