"""The goals for the speed of every day, in processor time with children, from runs taken turn about.

    python bench/daily_goals.py [--runs 9] [--old CHECKOUT] [--before CHECKOUT] [--only bare|commit|old|life]

`bare` compares `pack` and `status` with a bare Typer program, `commit` compares `record` and `checkpoint
--reply --yes` with `git add` and `git commit` of the files they write, `old` compares the commands of every
day with `reel pack` of the checkout named by --old, and `life` compares a kit of 20,000 memories with one
of 50. With --before, that checkout's commands take their turn too, and the last figure is the ratio of now
to then.

Each version works on copies of its own, because each keeps its own catalog.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
TREE = HERE.parent
sys.path.insert(0, str(TREE))
sys.path.insert(0, str(HERE))

from timing import run

from tests.support.pages import chat, page

BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None:\n    print('hello')\napp()\n"
PERSON = {
    f"GIT_{who}_{what}": "bo@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
}
COMMIT = 'git add -- "$@" && git commit -q -m change'
LATER = {"ada": "2026-03-03", "50": "2024-02-01", "5000": "2026-10-01", "20000": "2034-12-25"}
"""A day after each kit's last chat."""
CHATS = count(1)
"""Numbers of new chats, of which no two kits have the same."""
Cell = Callable[[], float]
"""One run; its processor time in seconds."""
Taken = dict[str, list[float]]
"""Processor times of each cell, round by round."""


@dataclass
class Place:
    """A copy of a kit that one checkout of reel works on."""

    tree: Path
    kit: Path
    home: Path
    day: str

    def reel(self, *words: str) -> float:
        command = [sys.executable, "-m", "reel_cli", *words]
        return run(command, self.kit, self.settings()).cpu

    def settings(self) -> dict[str, str]:
        """Return the variables that reel and git run with: of nobody's own home."""
        return {
            **PERSON,
            "PYTHONPATH": str(self.tree),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "REEL_NOW": f"{self.day}T20:00:00+00:00",
        }

    def new_chat(self) -> Path:
        """Write a chat of four messages that the kit does not have."""
        number = next(CHATS)
        messages = [
            f"Tonight ferry {number} was late again, and I walked home along the quay.",
            f"Then you had the wind in your face for {number} minutes. Did you see the herons?",
            "Two of them, below the bridge.",
            "Good. I will think of them.",
        ]
        roles = ["user", "assistant"] * 2
        said = [{"role": role, "content": text} for role, text in zip(roles, messages, strict=True)]
        path = self.home / f"chat-{self.kit.name}.json"
        path.write_text(json.dumps({"messages": said}))
        return path

    def record(self) -> float:
        return self.reel("record", str(self.new_chat()))

    def end(self) -> float:
        return self.reel("end", str(self.new_chat()))

    def again(self, *words: str) -> float:
        """Run a command a second time, when its caches are warm."""
        self.reel(*words)
        return self.reel(*words)

    def commit(self) -> float:
        """Add and commit with git alone what the last commit of this kit changed, undone before."""
        paths = self.git("show", "--name-only", "--format=", "HEAD").split()
        self.git("reset", "-q", "--mixed", "HEAD~1")
        return run(["sh", "-c", COMMIT, "sh", *paths], self.kit, self.settings()).cpu

    def git(self, *words: str) -> str:
        settings = {**os.environ, **self.settings()}
        return subprocess.run(
            ["git", *words], cwd=self.kit, env=settings, check=True, capture_output=True, text=True
        ).stdout


@dataclass
class Bench:
    """A scratch folder with a kit of each size, and the checkouts that are compared."""

    work: Path
    trees: Mapping[str, Path]
    runs: int
    made: dict[str, Path] = field(default_factory=dict)

    def kit(self, name: str) -> Path:
        """Return the kit called `name`, made where it is asked for first."""
        if name not in self.made:
            self.made[name] = self.work / f"kit-{name}"
            if name == "ada":
                shutil.copytree(TREE / "kits/ada", self.made[name])
                for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "kit"]):
                    subprocess.run(
                        ["git", *words], cwd=self.made[name], env={**os.environ, **PERSON}, check=True
                    )
            else:
                script, size = HERE / "large_kit.py", int(name)
                sizes = ["--memories", name, "--sessions", str(size // 10)]
                settings = {**os.environ, "PYTHONPATH": str(TREE)}
                subprocess.run(
                    [sys.executable, str(script), str(self.made[name]), *sizes],
                    env=settings,
                    check=True,
                    capture_output=True,
                )
        return self.made[name]

    def place(self, version: str, name: str, to: str = "") -> Place:
        """Return a fresh copy of a kit for one checkout, after three packs."""
        kit, home = self.work / f"{version}-{name}{to}", self.work / f"home-{version}-{name}{to}"
        shutil.rmtree(kit, ignore_errors=True)
        shutil.copytree(self.kit(name), kit)
        home.mkdir(exist_ok=True)
        made = Place(self.trees[version], kit, home, LATER[name])
        # git takes each file of a copy for another one, and reads all of them at every `git status`
        made.git("update-index", "-q", "--refresh")
        for _ in range(3):
            made.reel("pack")
        return made

    def turns(self, cells: Mapping[str, Cell]) -> Taken:
        """Run all cells in turn, the first round for nothing."""
        taken: Taken = {name: [] for name in cells}
        for number in range(self.runs + 1):
            for name, cell in cells.items():
                cost = cell()
                if number:
                    taken[name].append(cost)
        return taken

    @property
    def versions(self) -> list[str]:
        return [name for name in ("now", "before") if name in self.trees]

    def show(  # noqa: PLR0913
        self, label: str, taken: Taken, cell: str, base: str, goal: float, *, more: bool = False
    ) -> None:
        """Print a row: `cell` against `base` as a ratio, or for `more` as milliseconds on top."""
        costs = {version: taken[f"{version} {cell}"] for version in self.versions}
        bases = {version: taken.get(f"{version} {base}", taken.get(base, [])) for version in self.versions}
        figures = [
            median(
                (one - other) * 1000 if more else one / other
                for one, other in zip(costs[version], bases[version], strict=True)
            )
            for version in reversed(self.versions)
        ]
        told = [f"+{figure:.0f} ms" if more else f"{figure:.2f}" for figure in figures]
        aim = f"+{goal:.0f} ms" if more else f"{goal:.2f}"
        times = f"{median(costs['now']) * 1000:.0f} : {median(bases['now']) * 1000:.0f} ms"
        row = [label, aim, *told, times]
        if len(self.versions) > 1:
            pairs = zip(costs["now"], costs["before"], strict=True)
            row.append(f"{median(one / other for one, other in pairs):.3f}")
        print("| " + " | ".join([*row, "met" if figures[-1] <= goal else "missed"]) + " |", flush=True)


def measure_bare(bench: Bench) -> None:
    """Compare `pack` and `status`, warm, with a bare Typer program."""
    program = bench.work / "bare.py"
    program.write_text(BARE)
    for name in ("ada", "5000"):
        cells: dict[str, Cell] = {"bare": lambda: run([sys.executable, str(program)], bench.work).cpu}
        for version in bench.versions:
            place = bench.place(version, name)
            for word in ("pack", "status"):
                place.reel(word)
                cells[f"{version} {word}"] = _later(place, word)
        taken = bench.turns(cells)
        bench.show(f"`pack`, {name} : bare Typer", taken, "pack", "bare", 1.5)
        bench.show(f"`status`, {name} : bare Typer", taken, "status", "bare", 2.5)


def _later(place: Place, *words: str) -> Cell:
    return lambda: place.reel(*words)


def measure_commit(bench: Bench) -> None:
    """Compare a page and the record of a chat with `git add` and `git commit` of the same files."""
    said, written = bench.work / "chat.json", bench.work / "page.md"
    said.write_text(chat())
    written.write_text(page())
    cells: dict[str, Cell] = {}
    for version in bench.versions:
        cells |= _page_cells(bench, version, said, written)
    bench.show("`checkpoint --reply --yes` : git", bench.turns(cells), "page", "git", 180, more=True)
    for name in ("ada", "5000"):
        cells = {}
        for version in bench.versions:
            place = bench.place(version, name)
            cells[f"{version} record"] = place.record
            spare = bench.place(version, name, "-git")
            cells[f"{version} git"] = _recorded(spare)
        bench.show(f"`record`, {name} : git", bench.turns(cells), "record", "git", 200, more=True)


def _recorded(place: Place) -> Cell:
    def commit() -> float:
        place.record()
        return place.commit()

    return commit


def _page_cells(bench: Bench, version: str, said: Path, written: Path) -> dict[str, Cell]:
    """Return the runs of one page on fresh copies of a kit with one chat."""
    home = bench.work / f"home-{version}"
    home.mkdir(exist_ok=True)
    first, scratch = bench.work / f"{version}-first", bench.work / f"{version}-page"
    place = Place(bench.trees[version], bench.work, home, "2026-11-01")
    place.reel("init", str(first), "--name", "Ada")
    place.kit = first
    place.reel("record", str(said))

    def fresh() -> Place:
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(first, scratch)
        return Place(place.tree, scratch, home, place.day)

    def keep() -> float:
        return fresh().reel("checkpoint", "--reply", str(written), "--yes")

    def commit() -> float:
        kept = fresh()
        kept.reel("checkpoint", "--reply", str(written), "--yes")
        return kept.commit()

    return {f"{version} page": keep, f"{version} git": commit}


def measure_old(bench: Bench) -> None:
    """Compare the everyday commands with `reel pack` of the old checkout, both with warm caches."""
    for name in ("ada", "5000"):
        cells: dict[str, Cell] = {}
        old = bench.place("old", name)
        # each round begins with a new chat, for either
        cells["old first"] = lambda old=old: (old.record(), old.reel("pack"))[1]  # type: ignore[misc]
        cells["old pack"] = lambda old=old: old.reel("pack")  # type: ignore[misc]
        for version in bench.versions:
            place = bench.place(version, name)
            place.reel("start")
            cells[f"{version} end"] = place.end
            cells[f"{version} first start"] = lambda place=place: place.reel("start")  # type: ignore[misc]
            cells[f"{version} first status"] = lambda place=place: place.reel("status")  # type: ignore[misc]
            cells[f"{version} first recall"] = lambda place=place: place.reel("recall", "the ferry")  # type: ignore[misc]
            cells[f"{version} start"] = lambda place=place: place.reel("start")  # type: ignore[misc]
            cells[f"{version} status"] = lambda place=place: place.again("status")  # type: ignore[misc]
            cells[f"{version} recall"] = lambda place=place: place.again("recall", "the ferry")  # type: ignore[misc]
        taken = bench.turns(cells)
        bench.show(f"`end FILE`, {name} : old `pack`", taken, "end", "old pack", 1.5)
        for word in ("start", "status", "recall"):
            bench.show(f"`{word}`, {name} : old `pack`", taken, word, "old pack", 1.5)
        for word in ("start", "status", "recall"):
            label = f"`{word}` after a new chat, {name} : old `pack` after one"
            bench.show(label, taken, f"first {word}", "old first", 1.5)


def measure_life(bench: Bench) -> None:
    """Compare a kit of 20,000 memories and 2,000 sessions with one of 50 memories."""
    cells: dict[str, Cell] = {}
    for version in bench.versions:
        for size in ("20000", "50"):
            place = bench.place(version, size)
            key = f"{version} {size}"
            cells[f"{key} record"] = place.record
            # right after a chat is recorded, each command brings its caches up to date once
            for words in (["pack"], ["status"], ["recall", "the ferry"]):
                cells[f"{key} {words[0]}"] = lambda place=place, words=words: place.again(*words)  # type: ignore[misc]
    taken = bench.turns(cells)
    for word, goal in (("pack", 1.5), ("status", 2), ("recall", 2), ("record", 1.5)):
        bench.show(f"`{word}`, 20,000 : 50 memories", taken, f"20000 {word}", f"50 {word}", goal)


def main() -> int:
    """Print a row for each goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--old", type=Path, help="a checkout of 19e38c62")
    parser.add_argument("--before", type=Path, help="a checkout to compare with")
    parser.add_argument("--only", choices=["bare", "commit", "old", "life"])
    options = parser.parse_args()
    trees = {"now": TREE}
    if options.old:
        trees["old"] = options.old.resolve()
    if options.before:
        trees["before"] = options.before.resolve()
    parts = {"bare": measure_bare, "commit": measure_commit, "old": measure_old, "life": measure_life}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), trees, options.runs)
        columns = ["before", "now", "times now", "now : before"] if options.before else ["now", "times now"]
        print("| " + " | ".join(["what", "goal", *columns, ""]) + " |")
        print("| --- " * (len(columns) + 3) + "|", flush=True)
        for name, measure in parts.items():
            if options.only in (None, name) and (name != "old" or options.old):
                measure(bench)
    return 0


if __name__ == "__main__":
    sys.exit(main())
