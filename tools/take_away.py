"""Take features away, one at a time, and show that the rest works without them.

    python tools/take_away.py facts dream       those features
    python tools/take_away.py --all             every feature that the daily loop does not need
    python tools/take_away.py --turn            one of them, another after each commit
    ... --smoke                                 without the tests of the rest
    ... --tests                                 only these tests
    ... --noted FILE --most 120                 with at most so many of them, of those that enter the feature

In a copy of the checkout, the feature's folder, its tests and its row in `features/table.py` are deleted, and
so are those of the features that need it. Then every module must still be importable; a kit is made from each
example kit, packed, started, lived in (a chat recorded, a page kept), checked by `doctor`; and the tests of
the rest run. A test that uses what was taken away is passed over: it imports the feature's modules, runs one
of its commands, or is marked `needs("facts")`.

`--noted` makes that cheap. A run of all tests with REEL_NOTE_FEATURES=FILE notes which features were
imported for each test. Tests of the rest that go without this one need not be run again; of the others every
nth is, other ones after each commit. A test that starts reel as a process of its own is not noted.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
TABLE = "reel_cli/features/table.py"
LOOP = (
    *("start", "init", "record", "page", "recall", "fading", "forgetting", "history"),
    *("verify", "review", "status", "memory", "doctor", "watch", "contradictions"),
)
"""The features that the daily loop needs, or that keep what was said safe."""
CHAT = CHECKOUT / "demo/further-session.json"
REPLY = CHECKOUT / "demo/reply.md"
WHEN = "2026-03-11T21:10:00+00:00"
NO_TESTS = 5
"""Exit code of pytest where all tests were passed over."""
IMPORT_ALL = """
import importlib, pathlib, sys
for file in sorted(pathlib.Path("reel_cli").rglob("*.py")):
    name = ".".join(part for part in file.with_suffix("").parts if part != "__init__")
    if name != "reel_cli.__main__":
        try:
            importlib.import_module(name)
        except ImportError as problem:
            print(f"cannot import {name}: {problem}")
"""


def find_rows(source: str) -> dict[str, ast.Call]:
    """Return the rows of the table of features, by the feature's name."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    rows = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Feature"]
    return {str(row.args[0].value): row for row in rows if isinstance(row.args[0], ast.Constant)}


def list_optional() -> Sequence[str]:
    """Return the features that can be taken away, in the table's order."""
    return [name for name in find_rows((CHECKOUT / TABLE).read_text("utf-8")) if name not in LOOP]


def list_with_dependents(feature: str) -> Sequence[str]:
    """Return a feature and all that need it, directly or through others."""
    rows = find_rows((CHECKOUT / TABLE).read_text("utf-8"))
    needs = {
        name: next((ast.literal_eval(word.value) for word in row.keywords if word.arg == "needs"), ())
        for name, row in rows.items()
    }
    found = [feature]
    for taken in found:  # grows while it is gone through
        found += [name for name, needed in needs.items() if taken in needed and name not in found]
    return found


def copy_checkout(place: Path) -> None:
    """Copy the files that git knows of, as they are now, and what Python has compiled of them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (CHECKOUT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, place / name)
    for folder in ("reel_cli", "tests"):
        # a test run may be writing more of them, under other names at first
        for compiled in (CHECKOUT / folder).rglob("*.pyc"):
            target = place / compiled.relative_to(CHECKOUT)
            if target.parent.parent.is_dir():
                target.parent.mkdir(exist_ok=True)
                shutil.copy2(compiled, target)


def remove(feature: str, place: Path) -> None:
    """Delete a feature's folder, its tests and its row."""
    shutil.rmtree(place / "reel_cli/features" / feature)
    shutil.rmtree(place / "tests/features" / feature, ignore_errors=True)
    table = place / TABLE
    lines = table.read_text("utf-8").split("\n")
    row = find_rows("\n".join(lines))[feature]
    del lines[row.lineno - 1 : row.end_lineno]
    table.write_text("\n".join(lines), encoding="utf-8")


def run(place: Path, *command: str | Path, cwd: Path | None = None, show: bool = False) -> tuple[int, str]:
    """Run a command with the copy's package; its exit code and all that it printed."""
    home = place / ".home"
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REEL_KIT", "GIT_"))}
    environment = {
        **kept,
        "PYTHONPATH": str(place),
        # dozens of processes load the same modules
        "PYTHONDONTWRITEBYTECODE": "",
        "REEL_NOW": WHEN,
        "HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "GIT_AUTHOR_NAME": "Tomas",
        "GIT_AUTHOR_EMAIL": "tomas@example.org",
        "GIT_COMMITTER_NAME": "Tomas",
        "GIT_COMMITTER_EMAIL": "tomas@example.org",
    }
    shared = environment.setdefault("REEL_SHARED_DATA", str(CHECKOUT.parent / "shared/data"))
    if not Path(shared).is_dir():
        del environment["REEL_SHARED_DATA"]
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd or place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=None if show else subprocess.PIPE,
        stderr=None if show else subprocess.STDOUT,
        check=False,
    )
    return done.returncode, (done.stdout or b"").decode("utf-8", "replace")


def live_a_day(place: Path) -> Iterator[str]:
    """Go through a day with each example kit; yield what went wrong."""
    reel = (sys.executable, "-m", "reel_cli")
    for kit in ("ada", "meridian"):
        folder = place / f".{kit}"
        steps: list[tuple[str | Path, ...]] = [("pack", "--window", size) for size in ("8k", "32k", "128k")]
        steps += [
            ("start",),
            ("status",),
            ("status", "--json"),
            ("status", "--metrics"),
            ("recall", "soup"),
            ("tape", "verify"),
        ]
        if kit == "ada":
            steps += [("record", CHAT), ("checkpoint", "--prompt"), ("checkpoint", "--reply", REPLY, "--yes")]
            steps += [("pack",), ("log",), ("undo", "--yes")]
        steps += [("maintain", "--plan"), ("doctor", "--fix")]
        run(place, *reel, "init", folder, "--template", CHECKOUT / "kits" / kit)
        for step in steps:
            code, text = run(place, *reel, *step, cwd=folder)
            if code or "Traceback" in text:
                yield f"reel {' '.join(map(str, step))} on {kit}: exit {code}\n{text[-2000:]}"


def list_noted(notes: Path, taken: Sequence[str], place: Path, most: int) -> Sequence[str]:
    """Return tests for which one of the features was imported, spread evenly, from files that are left."""
    lines = (line.partition("\t") for line in notes.read_text("utf-8").splitlines())
    found = sorted({test for feature, _, test in lines if feature in taken})
    found = [test for test in found if (place / test.partition("::")[0]).is_file()]
    step = -(-len(found) // most) or 1
    return found[count_commits() % step :: step]


def count_commits() -> int:
    """Return a number that is another after each commit."""
    told = subprocess.run(
        ["git", "rev-list", "--count", "HEAD"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return int(told.stdout)


def run_tests(place: Path, given: Sequence[str], chosen: Sequence[str] | None) -> str:
    """Run the tests of the rest, or those chosen; what went wrong, or ""."""
    os.environ["REEL_TAKEN_AWAY"] = " ".join(given)
    os.environ.setdefault("REEL_FEWER_EXAMPLES", "10")
    files: Sequence[str] = ()
    if chosen is not None:
        only = place / ".only"
        only.write_text("\n".join(chosen), encoding="utf-8")
        os.environ["REEL_ONLY_TESTS"] = str(only)
        files = sorted({test.partition("::")[0] for test in chosen})
        if not files:
            return ""
    code, _ = run(place, sys.executable, "-m", "pytest", "-q", "-n", "auto", *files, show=True)
    return "the tests of the rest failed" if code not in (0, NO_TESTS) else ""


def check_without(feature: str, *, smoke: bool, tests: bool, noted: Path | None, most: int) -> bool:
    """Take one feature away and print what no longer works; True where nothing was lost.

    It is looked at by `smoke` (imports, and a day), by `tests`, or by both.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        copy_checkout(place)
        taken = list_with_dependents(feature)
        rows = find_rows((place / TABLE).read_text("utf-8"))
        given = [row.args[1] for row in map(rows.__getitem__, taken) if len(row.args) > 1]
        commands = [command for one in given for command in ast.literal_eval(one)]
        for name in taken:
            remove(name, place)
        wrong: list[str] = []
        if smoke:
            wrong = run(place, sys.executable, "-c", IMPORT_ALL)[1].splitlines() or list(live_a_day(place))
        if not wrong and tests:
            chosen = list_noted(noted, taken, place, most) if noted else None
            failed = run_tests(place, [*taken, *commands], chosen)
            wrong = [failed] if failed else []
    sys.stdout.write(
        f"without {' and '.join(taken)}: {'all works' if not wrong else f'{len(wrong)} faults'}\n"
    )
    sys.stdout.write("".join(f"  {line}\n" for line in wrong))
    sys.stdout.flush()
    return not wrong


def main() -> int:
    """Check what was asked for; 1 where something else needed a feature that was taken away."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("features", nargs="*", metavar="FEATURE")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--turn", action="store_true")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--smoke", action="store_true")
    only.add_argument("--tests", action="store_true")
    parser.add_argument("--noted", type=Path, metavar="FILE")
    parser.add_argument("--most", type=int, default=120, metavar="TESTS")
    given = parser.parse_args()
    optional = list_optional()
    chosen = optional if given.all else given.features
    if given.turn:
        chosen = [optional[count_commits() % len(optional)]]
    if not chosen or not set(chosen) <= set(optional):
        parser.error(f"name features of these: {', '.join(optional)}")
    results = [
        check_without(
            feature, smoke=not given.tests, tests=not given.smoke, noted=given.noted, most=given.most
        )
        for feature in chosen
    ]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
