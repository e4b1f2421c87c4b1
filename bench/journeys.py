"""Files that the four journeys of ARCHITECTURE.md enter, and modules they import.

    python bench/journeys.py [CHECKOUT]

Each journey is one whole command on a copy of kits/ada: first right after it was cloned, then with its caches
warm. A file is entered if a function of it runs; the bodies of modules and classes do not count. Packages
count as modules. With CHECKOUT, that tree's code runs.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SESSION = "2026-02-25-1"
EVENING = HERE.parent / "tests/fixtures/replies" / f"ada-{SESSION}"
CHAT = {
    "messages": [
        {"role": "user", "content": "Tonight the ferry was late again, and I walked home along the quay."},
        {"role": "assistant", "content": "Then you had the wind in your face. Did you see the herons?"},
        {"role": "user", "content": "Two of them, below the bridge."},
        {"role": "assistant", "content": "Good. I will think of them."},
    ]
}
"""A chat that the kit does not have."""
WATCH = """
import atexit, inspect, json, os, runpy, sys, threading
root, entered = os.environ["REEL_CODE"], set()
def note(frame, event, _):
    code = frame.f_code
    is_function = code.co_flags & inspect.CO_OPTIMIZED
    if event == "call" and is_function and code.co_filename.startswith(root):
        entered.add(code.co_filename)
def tell():
    imported = [name for name in sys.modules if name.partition(".")[0] == "reel_cli"]
    with open(os.environ["REEL_COUNTS"], "w") as file:
        json.dump((len(entered), len(imported)), file)
atexit.register(tell)
sys.setprofile(note)
threading.setprofile(note)
sys.argv[0] = "reel"
runpy.run_module("reel_cli", run_name="__main__")
"""


def main() -> int:
    """Print a row for each journey."""
    tree = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent).resolve()
    with tempfile.TemporaryDirectory() as folder:
        print(f"{'journey':14}{'entered':>9}{'imported':>10}")
        for name, (entered, imported) in walk(tree, Path(folder)):
            print(f"{name:14}{entered:9}{imported:10}")
    return 0


def walk(tree: Path, work: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Go through each journey: its name, the number of files entered and of modules imported."""
    kit, counts = work / "ada", work / "counts.json"
    shutil.copytree(tree / "kits/ada", kit)
    settings = {
        **os.environ,
        **{
            f"GIT_{who}_{what}": "bo@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
        "PYTHONPATH": str(tree),
        "REEL_CODE": str(tree / "reel_cli"),
        "REEL_COUNTS": str(counts),
        "REEL_NOW": "2026-03-03T20:00:00+00:00",
    }

    def reel(*words: str) -> tuple[int, int]:
        subprocess.run(
            [sys.executable, "-c", WATCH, *words], cwd=kit, env=settings, check=True, capture_output=True
        )
        entered, imported = json.loads(counts.read_text())
        return entered, imported

    for git in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "kit"]):
        subprocess.run(["git", *git], cwd=kit, env=settings, check=True)
    for words in (["pack"], ["recall", "the boat"], ["status"]):
        yield f"{words[0]}, cold", reel(*words)
        yield words[0], reel(*words)
    page = ("checkpoint", "--session", SESSION)
    reel(*page, "--prompt")
    yield "checkpoint", reel(*page, "--reply", str(EVENING / "chatty.md"), "--yes")
    chat = work / "chat.json"
    chat.write_text(json.dumps(CHAT))
    yield "record", reel("record", str(chat))


if __name__ == "__main__":
    sys.exit(main())
