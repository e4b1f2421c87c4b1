"""Simulation of two hundred sessions at a shelf: files arrive, mixed advice is given, cold files go.

python bench/shelf_life.py [--sessions 200] [--seed 11] [--write]

Every session a few files arrive, a chat is recorded that names some of them, somebody advises (well, badly,
or in a form that cannot be read), and `reel shelf gc --yes` puts away what is cold. The bench keeps its own
account: the bytes of every file at every moment, and which must be kept. After each pass it counts for itself
what is hot enough for a bundle, and at the end it has everything brought back and compares.
"""

import argparse
import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.terminal.app import run

SHARE = 32_768 // 10
"""Room of the shelf in a kit of 32K, in tokens."""
FULL = 0.8
SMALL = 800
"""In bytes: what is tagged as a decision is no longer than that."""
BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
WORDS = ("kiln", "glaze", "ash", "clay", "fire", "shard", "bowl", "ferry", "island", "letter", "aunt", "rain")
ACTIONS = ("delete_from_working_set", "archive", "summarize_then_evict", "compress")


def main() -> int:
    """Run, print, and with --write keep the results; 1 where something that was promised does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1", "COLUMNS": "100"}
        for part in ("AUTHOR", "COMMITTER"):
            os.environ |= {f"GIT_{part}_NAME": "Bo Lind", f"GIT_{part}_EMAIL": "bo@example.org"}
        life = Life(Path(folder), random.Random(asked.seed))  # noqa: S311 (a seeded run)
        for number in range(1, asked.sessions + 1):
            life.live(number)
        life.bring_back()
    text = life.page(asked.sessions, asked.seed, time.monotonic() - began)
    sys.stdout.write(text)
    if asked.write:
        (HERE / "results-shelf-life.md").write_text(text, encoding="utf-8")
    return int(bool(life.faults))


@dataclass
class Life:
    """One kit, and the bench's own account of what was on its shelf."""

    place: Path
    dice: random.Random
    kept: set[str] = field(default_factory=set)
    """Content that must be kept, by path."""
    pins: dict[str, int] = field(default_factory=dict)
    away: dict[str, bytes] = field(default_factory=dict)
    """Files put away and not yet back, with their bytes."""
    tally: Counter[str] = field(default_factory=Counter)
    after: list[float] = field(default_factory=list)
    before: list[float] = field(default_factory=list)
    bundles: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    now: datetime = BEGIN

    def __post_init__(self) -> None:
        self.kit = self.place / "ada"
        self.source = self.place / "out"
        self.source.mkdir()
        self.counter = get_tokenizer("o200k_base")
        os.chdir(self.place)
        self.reel("init", "ada", "--template", "companion", "--name", "Ada", "--window", "32k")
        os.chdir(self.kit)
        with (self.kit / "kit.yaml").open("a") as settings:
            settings.write('\nshelf:\n  idle: 8\n  keep:\n    letters: ["letter-*"]\n')

    # -- a session -------------------------------------------------------------------------------

    def live(self, number: int) -> None:
        """One session: what comes in, what is said, what is advised, and what goes."""
        self.now = BEGIN + timedelta(days=number)
        came = self.arrive(number)
        self.now += timedelta(minutes=30)
        self.talk(number)
        self.now += timedelta(minutes=30)
        self.pin(came, number)
        self.advise()
        self.summarize()
        self.now += timedelta(minutes=30)
        self.exhale(number)
        if self.away and self.dice.random() < 0.15:
            self.restore(self.dice.choice(sorted(self.away)))

    def arrive(self, number: int) -> list[str]:
        """Outputs come in: texts, tables, pictures; some of them must be kept, some stay where they are."""
        came = []
        for place in range(self.dice.randint(1, 6)):
            kind = self.dice.choice(("log", "log", "table", "draft", "attempt", "letter", "picture"))
            name = f"{kind}-{number:03d}-{place}"
            size = self.dice.randint(40, 110 if kind == "letter" else 600)
            if kind == "table":
                name += ".csv"
                data = "kiln,cone\n" + "".join(f"{n},{self.dice.randint(1, 9)}\n" for n in range(size // 4))
            elif kind == "picture":
                name += ".png"
                data = "\x89PNG\0" + self.dice.randbytes(200).hex()
            else:
                name += ".txt"
                data = " ".join(self.dice.choice(WORDS) for _ in range(size)) + "\n"
            (self.source / name).write_text(data)
            came.append(f"shelf/{name}")
            if kind == "letter":
                self.kept.add(came[-1])
        names = [f"../out/{path.removeprefix('shelf/')}" for path in came]
        watched = names[:1] if self.dice.random() < 0.2 else []
        if watched:
            self.reel("shelf", "add", "--watch", *watched)
        if names[len(watched) :]:
            self.reel("shelf", "add", *names[len(watched) :])
        for path in came:
            small = (self.source / path.removeprefix("shelf/")).stat().st_size < SMALL
            if path not in self.kept and small and self.dice.random() < 0.3:
                page = self.kit / f"{path}.meta.yml"
                page.write_text(page.read_text().replace("tags: []", "tags: [decision]"))
                self.kept.add(path)
        self.tally["came in"] += len(came)
        return came

    def talk(self, number: int) -> None:
        """A chat, in which up to two files are named."""
        there = sorted(self.at_hand())
        named = self.dice.sample(there, min(len(there), self.dice.randint(0, 2)))
        words = f"Day {number}. " + " and ".join(name.removeprefix("shelf/") for name in named)
        at = self.now.isoformat()
        talk = [{"role": role, "content": text, "created_at": at} for role, text in
                (("user", words), ("assistant", f"Yes, {number}."))]  # fmt: skip
        chat = self.place / "chat.json"
        chat.write_text(json.dumps({"title": f"Day {number}", "created_at": at, "messages": talk}))
        self.reel("record", str(chat))

    def pin(self, came: list[str], number: int) -> None:
        """Now and then something is pinned, and let go of ten sessions later."""
        if self.dice.random() < 0.08:
            path = self.dice.choice(came)
            self.reel("shelf", "pin", path)
            self.pins[path] = number
        for path in [path for path, since in self.pins.items() if number - since >= 10]:
            self.reel("shelf", "unpin", path)
            del self.pins[path]

    def advise(self) -> None:
        """Advice: some of it good, some against what must be kept, some about nothing, some unreadable."""
        if self.dice.random() < 0.2:
            return
        there = sorted(self.at_hand())
        picked = self.dice.sample(there, min(len(there), self.dice.randint(1, 8)))
        cold = [
            {
                "path": path,
                "why": self.dice.choice(("over", "superseded by a newer one", "a failed approach", "")),
                "suggested_action": self.dice.choice(ACTIONS),
            }
            for path in picked
        ]
        kept = sorted(self.kept & set(there))
        bad = (
            {"path": "../../etc/passwd", "why": "x"},
            {"path": "shelf/never-was.txt", "why": "x"},
            {"path": self.dice.choice(there), "why": "x", "suggested_action": "burn"},
            {"path": "ring0/identity.md", "why": "x", "suggested_action": "archive"},
            *({"path": path, "why": "take it", "suggested_action": "archive"} for path in kept[:2]),
        )
        cold += self.dice.sample(bad, self.dice.randint(0, len(bad)))
        free = sorted(set(there) - self.kept) or there
        hot = [{"path": self.dice.choice(free), "why": "we need it"} for _ in range(self.dice.randint(0, 3))]
        reply = json.dumps({"why": "as it stands", "hot": hot, "cold": cold, "trigger_gc": True})
        if self.dice.random() < 0.1:
            reply = reply[: len(reply) // 2]
        (self.place / "reply.txt").write_text(f"Here is what I think.\n\n{reply}\n")
        code, _ = self.reel("shelf", "advise", "--reply", "../reply.txt", "--yes", may_fail=True)
        self.tally["advice taken" if code == 0 else "advice refused"] += 1

    def summarize(self) -> None:
        """Half of what waits for a summary gets one: of a table as reel makes it, of a text by hand."""
        for one in self.gc("--dry-run")["waiting"]:
            if self.dice.random() < 0.5:
                continue
            name = Path(one["path"]).name
            if name.endswith(".csv"):
                self.reel("shelf", "summarize", name, "--style", "schema", "--yes", may_fail=True)
            elif name.endswith(".txt"):
                (self.kit / "summaries").mkdir(exist_ok=True)
                head = f"---\nsummary_of: [{one['path']}]\nstyle: bullet\n---\n"
                (self.kit / f"summaries/{name}.md").write_text(f"{head}\n- {name} in a line\n")

    def exhale(self, number: int) -> None:
        """Put away what is cold, and hold it against the account."""
        held = self.files()
        found = self.gc("--yes")
        self.before.append(found["room"]["tokens"] / SHARE)
        now = self.files()
        for one in found["gc_report"]["actions"]:
            path = one["path"]
            self.tally[one["action"]] += 1
            if path in self.kept or path in self.pins:
                self.faults.append(f"session {number}: {path} must be kept and was {one['action']}")
            if path in held:
                self.away[path] = held[path]
        gone = {path for path in held if now.get(path) != held[path]}
        if gone - set(self.away):
            self.faults.append(f"session {number}: {sorted(gone - set(self.away))} changed unsaid")
        self.after.append(self.taken() / SHARE)
        if self.after[-1] > FULL:
            self.faults.append(f"session {number}: {self.after[-1]:.2f} of the room is taken")
        _, out = self.reel("pack", "--json")
        bundle = json.loads(out)
        self.bundles.append(bundle["tokens"] / bundle["cap"])

    def restore(self, path: str) -> None:
        """Something is needed after all."""
        self.reel("restore", path)
        self.check(path)
        self.tally["brought back in between"] += 1

    def check(self, path: str) -> None:
        """Whether a file that is back is what it was."""
        then = self.away.pop(path)
        if (self.kit / path).read_bytes() != then:
            self.faults.append(f"{path} came back as something else")

    def bring_back(self) -> None:
        """Everything that is away comes back, and is compared."""
        names = sorted(self.away)
        self.tally["bytes compared at the end"] = sum(map(len, self.away.values()))
        for start in range(0, len(names), 50):
            self.reel("restore", *names[start : start + 50])
        for path in names:
            self.check(path)
        self.tally["brought back at the end"] = len(names)
        lost = [path for path in self.kept if not (self.kit / f"{path}.meta.yml").exists()]
        self.faults += [f"{path} must be kept and is gone" for path in lost]

    # -- the account -----------------------------------------------------------------------------

    def at_hand(self) -> dict[str, dict[str, Any]]:
        """Return what is in the working set, by path."""
        _, out = self.reel("shelf", "list", "--json")
        return {one["path"]: one for one in json.loads(out) if one["working_set"]}

    def taken(self) -> int:
        """How many tokens would go into a bundle if there were room for all that is hot enough."""
        total = 0
        for path, one in self.at_hand().items():
            if one["hotness"] >= 0.3 or one["pin"]:
                place = self.kit / path
                if one["kind"] == "text":
                    total += self.counter.count(place.read_text())
                elif one["watched"] and (self.source / place.name).suffix != ".png":
                    total += self.counter.count((self.source / place.name).read_text())
        return total

    def files(self) -> dict[str, bytes]:
        """Every file of the shelf, without the pages."""
        shelf = self.kit / "shelf"
        return {
            path.relative_to(self.kit).as_posix(): path.read_bytes()
            for path in shelf.rglob("*")
            if path.is_file() and not path.name.endswith(".meta.yml")
        }

    # -- reel ------------------------------------------------------------------------------------

    def gc(self, *arguments: str) -> dict[str, Any]:
        """`reel shelf gc --json`."""
        _, out = self.reel("shelf", "gc", "--json", *arguments)
        found: dict[str, Any] = json.loads(out)
        return found

    def reel(self, *arguments: str, may_fail: bool = False) -> tuple[int, str]:
        """Run reel in this process; its exit code, and what it wrote."""
        os.environ["REEL_NOW"] = self.now.isoformat()
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(), "utf-8")
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(list(arguments))
        finally:
            sys.stdin = stdin
        if code and not may_fail:
            told = err.buffer.getvalue().decode()
            message = f"reel {' '.join(arguments)}: {code}\n{told}"
            raise SystemExit(message)
        return code, out.buffer.getvalue().decode()

    def page(self, sessions: int, seed: int, took: float) -> str:
        """The results."""
        worst, mean = max(self.after), sum(self.after) / len(self.after)
        rows = [
            ("room taken after each exhale, of the shelf's share: worst, mean", "<= 0.8",
             f"{worst:.2f}, {mean:.2f}"),
            ("the same before it", "", f"{max(self.before):.2f}, {sum(self.before) / sessions:.2f}"),
            ("the bundle, of the window: worst", "<= 0.8", f"{max(self.bundles):.2f}"),
            ("files that must be kept, or are pinned, and went", "0",
             str(sum("must be kept" in one for one in self.faults))),
            ("files that came back as something else", "0",
             str(sum("something else" in one for one in self.faults))),
            *((what, "", f"{number:,}") for what, number in sorted(self.tally.items())),
        ]  # fmt: skip
        table = "".join(f"| {what} | {goal} | {value} |\n" for what, goal, value in rows)
        head = "# A shelf over many sessions\n\n<!-- Written by  python bench/shelf_life.py --write -->\n\n"
        about = (
            f"{sessions} sessions, seed {seed}, in {took:.0f} s: files come in, chats name some of them,"
            " advice is good, bad and unreadable by turns, and `reel shelf gc --yes` ends each."
            " The share is a tenth of a window of 32K; what is taken is counted by the bench for itself.\n\n"
        )
        faults = "".join(f"- {fault}\n" for fault in self.faults[:20])
        return f"{head}{about}| what | goal | measured |\n| --- | --- | --- |\n{table}" + (
            f"\nAgainst what is promised:\n\n{faults}" if faults else ""
        )


if __name__ == "__main__":
    sys.exit(main())
