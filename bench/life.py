"""A simulated life: what years of talk do to a kit's rings, and whether all of it can come back.

    python bench/life.py --years 10

Three sessions a week, each recorded and remembered with a page in the persona's voice; maintenance goes
through what is due twice a month, with a reply to every prompt. After each year it is measured and checked:
tokens a ring, memories a level, bundles at 8K and 128K within their budget, every memory restorable to
its first text, byte for byte, and the ledger of losses adding up to the difference. What it finds is
written to `results-life.md` and drawn in `life.svg`; it exits 1 when a check fails.
"""

import argparse
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter as Tally
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from invented_friendship import answer, spend, write_page

from reel_cli.core.files.commit_message import parse_forgotten
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.history import read_log
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.forgetting.plan_restore import plan_restore
from reel_cli.terminal.app import run

BENCH = Path(__file__).resolve().parent
USER, NAME = "Tomas", "Ada"
WEEKDAYS = (0, 2, 5)
PASSES = (14, 28)
"""On these days of a month maintenance is done."""
LEVELS = ("L1", "L2", "L3", "L4")
RINGS = ("0", "1", "2", "3", "4")
POOL = 12
"""So many exchanges are taken into the pool; a person takes no more."""
MOST_PASTES = 12
"""More exchanges in one pass say that maintenance never ends."""


@dataclass
class Year:
    """Figures of a kit at the end of one year."""

    day: date
    sessions: int
    rings: dict[str, int]
    levels: dict[str, int]
    stubs: int
    packs: dict[str, tuple[int, int]]
    made: int
    restored: int
    lost: int
    difference: int
    pastes: int
    seconds: float


@dataclass
class Life:
    """One life: the kit, what was made in it, and what went wrong."""

    kit: Path
    first: dict[str, bytes] = field(default_factory=dict)
    """Each memory's file as it first was."""
    wrong: list[str] = field(default_factory=list)
    pastes: int = 0
    pool: int = 0
    packed: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def repo(self) -> Repository:
        """The kit's repository."""
        found = find_repository(self.kit)
        assert found is not None
        return found

    def reel(self, *arguments: str, at: datetime, stdin: str = "") -> tuple[int, str, str]:
        """One command, in this process: its exit code and what it printed."""
        os.environ["REEL_NOW"] = at.isoformat()
        out, err = io.StringIO(), io.StringIO()
        sys.stdin, kept = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"), sys.stdin
        code = 0
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(["--kit", str(self.kit), *arguments]) or 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        finally:
            sys.stdin = kept
        return code, out.getvalue(), err.getvalue()

    def must(self, *arguments: str, at: datetime, stdin: str = "") -> str:
        """A command that has to go well."""
        code, out, err = self.reel(*arguments, at=at, stdin=stdin)
        if code:
            self.wrong.append(f"{at.date()} reel {' '.join(arguments)}: exit {code}: {err.strip()[-200:]}")
        return out

    def evening(self, day: date, dice: random.Random) -> None:
        """One session: said, recorded, remembered."""
        at = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
        lived = spend(day, dice)
        chat = self.kit.parent / "chat.txt"
        chat.write_text(lived.chat(USER, NAME), encoding="utf-8")
        self.must("record", str(chat), "--json", at=at)
        page = write_page(lived, NAME, dice)
        told = self.must("checkpoint", "--reply", "-", "--yes", "--json", at=at, stdin=page)
        for name in json.loads(told or '{"memories": []}').get("memories", []):
            self.first[name] = (self.kit / "ring3" / f"{name}.md").read_bytes()
        if dice.random() < 1 / 3 and self.first:
            past = self.first[dice.choice(list(self.first))].decode()
            anchor = next((line for line in past.splitlines() if line.startswith("anchor:")), "")
            self.must("recall", anchor.removeprefix("anchor:").strip(' "'), "--json", at=at)

    def maintain(self, at: datetime) -> None:
        """A pass: what waits for a word, what needs no model, then every prompt with its reply."""
        waiting = json.loads(self.must("status", "--json", at=at))["review"]
        names = [one if isinstance(one, str) else one["item"] for one in waiting]
        for name in names:
            if "exemplar" in name:
                self.must("review", "accept" if self.pool < POOL else "reject", name, at=at)
                self.pool += 1
        self.must("maintain", "--auto", "--json", at=at)
        for _ in range(MOST_PASTES):
            code, prompt, _ = self.reel("maintain", "--prompt", at=at)
            if code:
                return
            before = self.repo.head()
            self.pastes += 1
            self.reel("maintain", "--reply", "-", "--yes", "--json", at=at, stdin=answer(prompt, NAME))
            if self.repo.head() == before:
                return

    def pack(self, at: datetime) -> None:
        """Pack small and large; each within its budget."""
        for window in ("8k", "128k"):
            told = json.loads(self.must("pack", "--window", window, "--json", at=at) or "{}")
            room = told.get("cap", 0) - told.get("live", 0)
            self.packed[window] = (told.get("tokens", 0), room)
            if not 0 < told.get("tokens", 0) <= room:
                self.wrong.append(f"{at.date()}: {told.get('tokens')} tokens packed into {room} at {window}")

    def measure(self, at: datetime, seconds: float) -> Year:
        """The year's end, with all that must hold then."""
        status = json.loads(self.must("status", "--json", at=at))
        snapshot = Snapshot(WorkTree(self.kit), self.kit.name)
        counter = get_tokenizer(snapshot.settings.tokenizer)
        commits = read_log(self.repo)
        held = {name: counter.count(memory.body) for name, memory in snapshot.memories.items()}
        first = sum(counter.count(_body(data)) for data in self.first.values())
        lost = 0
        for commit in commits:
            for value in commit.values("Reel-Forgot"):
                forgot = parse_forgotten(value)
                if forgot is not None and forgot.before in LEVELS:
                    lost += forgot.tokens_before - forgot.tokens_after
        difference = first - sum(held.values())
        if lost != difference:
            self.wrong.append(f"{at.date()}: the ledger says {lost} tokens are lost, the files {difference}")
        return Year(
            day=at.date(),
            sessions=status["sessions"] if isinstance(status["sessions"], int) else len(status["sessions"]),
            rings={ring: status["rings"][ring]["tokens"] for ring in RINGS},
            levels=dict(Tally(memory.level.value for memory in snapshot.memories.values())),
            stubs=status["index"]["stubs"],
            packs=dict(self.packed),
            made=len(self.first),
            restored=self._restore(snapshot, at),
            lost=lost,
            difference=difference,
            pastes=self.pastes,
            seconds=seconds,
        )

    def _restore(self, snapshot: Snapshot, at: datetime) -> int:
        """How many memories are as they first were, or could be again, byte for byte."""
        present = {name: snapshot.read(f"ring3/{name}.md") for name in self.first}
        gone = [name for name, data in present.items() if data != self.first[name]]
        whole = len(self.first) - len(gone)
        if not gone:
            return whole
        commits = read_log(self.repo)
        counter = get_tokenizer(snapshot.settings.tokenizer)
        planned = plan_restore(snapshot, self.repo, counter, commits, gone, level="L1", now=at)
        for name in gone:
            if planned.change.writes.get(f"ring3/{name}.md") == self.first[name]:
                whole += 1
            else:
                self.wrong.append(f"{at.date()}: {name} does not come back as it first was")
        return whole


def _body(data: bytes) -> str:
    return data.decode().split("\n---\n", 1)[1]


def live(years: int, seed: int, kit: Path, start: date) -> tuple[Life, list[Year]]:
    """Live so many years."""
    life = Life(kit)
    dice = random.Random(seed)  # noqa: S311 - an invented life
    at = datetime(start.year, start.month, start.day, 8, tzinfo=UTC)
    os.environ["REEL_NOW"] = at.isoformat()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run(["init", str(kit), "--template", "companion", "--name", NAME])
    settings = kit / "kit.yaml"
    text = settings.read_text()
    settings.write_text(
        f"{text.rstrip()}\nwindow: 32k\n"
        if "\nwindow:" not in text
        else text.replace("window: 8k", "window: 32k")
    )
    if "user:" not in text:
        settings.write_text(settings.read_text() + f"user: {USER}\n")
    for command in (("add", "-A"), ("commit", "-qm", "edit: a larger window")):
        subprocess.run(["git", "-C", str(kit), *command], check=True)
    found: list[Year] = []
    began = time.perf_counter()
    day, told = start, 0
    for number in range(1, years + 1):
        end = date(start.year + number, start.month, start.day)
        while day < end:
            if day.weekday() in WEEKDAYS:
                life.evening(day, dice)
            following = day + timedelta(days=1)
            if day.day in PASSES:
                at = datetime(day.year, day.month, day.day, 22, tzinfo=UTC)
                life.maintain(at)
                life.pack(at)
            day = following
        year = life.measure(at, time.perf_counter() - began)
        found.append(year)
        print(_row(number, year), flush=True)
        for line in life.wrong[told:]:
            print(f"wrong: {line}", flush=True)
        told = len(life.wrong)
    return life, found


COLUMNS = (
    *("year", "sessions", "ring 3", "ring 4", *LEVELS, "stubs"),
    *("pack 8K", "pack 128K", "restorable", "let go", "pastes"),
)
HEAD = f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}"


def _row(number: int, year: Year) -> str:
    cells = [
        *(f"{number}", f"{year.sessions:,}", f"{year.rings['3']:,}", f"{year.rings['4']:,}"),
        *(f"{year.levels.get(level, 0):,}" for level in LEVELS),
        f"{year.stubs:,}",
        *(f"{tokens:,} of {room:,}" for tokens, room in year.packs.values()),
        *(f"{year.restored:,} of {year.made:,}", f"{year.lost:,}", f"{year.pastes:,}"),
    ]
    return f"| {' | '.join(cells)} |"


WIDTH, HEIGHT, LEFT, LOW, TALL = 640, 260, 60, 220, 180
SHADES = {"L1": "#1f4e79", "L2": "#4f81bd", "L3": "#9dc3e6", "L4": "#deebf7"}
RED = "#c0392b"


def draw(years: list[Year], most: int) -> str:
    """Ring 3's tokens and the memories a level, year by year, as an SVG."""
    step = (WIDTH - LEFT - 20) / max(1, len(years))
    top = max(most, *(year.rings["3"] for year in years))
    tallest = max(sum(year.levels.values()) for year in years) or 1
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
            ' font-family="sans-serif" font-size="11">'
        )
    ]
    points = []
    for place, year in enumerate(years):
        base = float(LOW)
        x = LEFT + place * step
        for level in LEVELS:
            size = TALL * year.levels.get(level, 0) / tallest
            base -= size
            parts.append(_bar(x + step * 0.2, base, step * 0.6, size, SHADES[level]))
        parts.append(f'<text x="{x + step / 2:.1f}" y="{LOW + 16}" text-anchor="middle">{place + 1}</text>')
        points.append(f"{x + step / 2:.1f},{LOW - TALL * year.rings['3'] / top:.1f}")
    roof = LOW - TALL * most / top
    parts += [
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{RED}" stroke-width="2"/>',
        (
            f'<line x1="{LEFT}" y1="{roof:.1f}" x2="{WIDTH - 20}" y2="{roof:.1f}" stroke="{RED}"'
            ' stroke-dasharray="4 4"/>'
        ),
        f'<text x="4" y="{roof + 4:.1f}" fill="{RED}">{most:,}</text>',
        (
            f'<text x="{LEFT}" y="{HEIGHT - 6}">years; bars: memories in ring 3 by level (pages darkest,'
            f" at most {tallest:,}); red: tokens of ring 3, and its range</text>"
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bar(x: float, y: float, width: float, height: float, shade: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{shade}"/>'


def main() -> int:
    """Live, measure, write it down; 1 when something did not hold."""
    parser = argparse.ArgumentParser(description="A simulated life.")
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=BENCH)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="life-") as folder:
        kit = Path(folder) / "ada"
        print(HEAD, flush=True)
        life, years = live(options.years, options.seed, kit, date(2026, 1, 1))
        most = Snapshot(WorkTree(kit), "ada").settings.ranges["3"].tokens(32_768)[1]
    rows = "\n".join(_row(number, year) for number, year in enumerate(years, start=1))
    took = years[-1].seconds / 60
    wrong = "".join(f"- {line}\n" for line in life.wrong[:50]) or "Nothing: every check held.\n"
    command = f"python bench/life.py --years {options.years} --seed {options.seed}"
    text = "\n".join(
        [
            f"# A simulated life\n\n`{command}`, a 32K kit, {took:.0f} minutes.\n",
            "![Memories by level and ring 3's tokens, year by year](life.svg)\n",
            f"{HEAD}\n{rows}\n",
            "*restorable*: memories that are, or by `reel restore --level L1` would be, byte for byte as",
            "they first were. *let go*: tokens by the `Reel-Forgot` trailers; it is the difference between",
            "all memories as they were made and ring 3 as it is.\n",
            f"## What did not hold\n\n{wrong}",
        ]
    )
    (options.out / "results-life.md").write_text(text, encoding="utf-8")
    (options.out / "life.svg").write_text(draw(years, most), encoding="utf-8")
    return 1 if life.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
