"""Recall of a second look, by a model, on errors planted in memories.

    python bench/second_look.py make OUT [LIST.yaml]
    python bench/second_look.py score OUT

`make` spreads the changes of `planted_chats.yaml` or `planted_errors.yaml` over some versions of the pages,
makes a kit for each, and writes what `reel doctor --ask` asks a model: OUT/NAME/prompt.txt. A model that
sees nothing else answers in OUT/NAME/reply.txt. `score` has `reel doctor --ask` read the replies: an
error is found if a finding quotes the place where it stands. A sound change is doubted, and a line wrong,
where a finding quotes a place that holds no error.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

KITS = HERE.parent / "kits"
MOST_PAGES = 6
"""Memories that `reel doctor --ask` asks about at once."""
SOUND = "sound"
VERSIONS = 6
MEMORY = "M-001"


def main() -> int:
    """Make the prompts, or score the replies."""
    if len(sys.argv) < 3 or sys.argv[1] not in ("make", "score"):
        print(__doc__)
        return 2
    out = Path(sys.argv[2]).resolve()
    if sys.argv[1] == "make":
        make(out, Path(sys.argv[3]) if len(sys.argv) > 3 else HERE / "planted_chats.yaml")
        return 0
    return score(out)


def make(out: Path, source: Path) -> None:
    """Make a kit and a prompt for each version of each page."""
    import yaml

    out.mkdir(parents=True, exist_ok=True)
    entries = yaml.safe_load(source.read_text(encoding="utf-8"))
    for entry in (one for one in entries if "chat" in one):
        for number, changes in enumerate(spread(entry, entry["page"]), 1):
            text = entry["page"]
            for _, was, now in changes:
                text = text.replace(was, now, 1)
            place = out / f"{entry['chat']}-{number}"
            make_kit(place, entry, text)
            ask(place, {MEMORY: changes})
    for kit in dict.fromkeys(one["kit"] for one in entries if "kit" in one):
        told = {one["memory"]: one for one in entries if one.get("kit") == kit}
        files = {name: f"ring3/{name}.md" for name in told}
        texts = {name: (KITS / kit / file).read_text(encoding="utf-8") for name, file in files.items()}
        versions = {name: spread(entry, texts[name]) for name, entry in told.items()}
        for number in range(VERSIONS):
            for part in range(0, len(told), MOST_PAGES):
                names = list(told)[part : part + MOST_PAGES]
                place = out / f"{kit}-{number + 1}-{part // MOST_PAGES + 1}"
                place.mkdir(parents=True)
                reel(place, "init", "kit", "--template", str(KITS / kit))
                for name in names:
                    text = texts[name]
                    for _, was, now in versions[name][number]:
                        start, _, end = text.rpartition(was)
                        text = start + now + end
                    (place / "kit" / files[name]).write_text(text, encoding="utf-8")
                ask(place, {name: versions[name][number] for name in names})
    print(f"{len(list(out.glob('*/prompt.txt')))} prompts in {out}")


def ask(place: Path, changes: dict[str, list[tuple[str, str, str]]]) -> None:
    """Write a kit's changes by memory, and the prompt about those memories."""
    (place / "changes.json").write_text(json.dumps(changes, ensure_ascii=False, indent=1))
    prompt = reel(place / "kit", "doctor", "--ask", *changes, "--prompt")
    (place / "prompt.txt").write_text(prompt, encoding="utf-8")


def spread(entry: dict[str, Any], text: str) -> list[list[tuple[str, str, str]]]:
    """Return the changes by version, so that no two of a version touch."""
    versions: list[list[tuple[str, str, str]]] = [[] for _ in range(VERSIONS)]
    taken: list[list[tuple[int, int]]] = [[] for _ in range(VERSIONS)]
    named = [
        (kind, *pair) for kind, pairs in [*entry["errors"].items(), (SOUND, entry[SOUND])] for pair in pairs
    ]
    for kind, was, now in named:
        start = text.rindex(was)
        end = start + len(was)
        for at in sorted(range(VERSIONS), key=lambda at: len(versions[at])):
            if all(end <= low or high <= start for low, high in taken[at]):
                versions[at].append((kind, was, now))
                taken[at].append((start, end))
                break
        else:
            sys.exit(f"No version has room for: {now}")
    return versions


def make_kit(place: Path, entry: dict[str, Any], text: str) -> None:
    """Make a kit that holds the chat and this page of it."""
    place.mkdir(parents=True)
    reel(place, "init", "kit", "--template", "companion", "--name", entry["me"], "--user", entry["other"])
    sides = {entry["me"]: "assistant", entry["other"]: "user"}
    chat = {
        "title": entry["chat"],
        "created_at": f"{entry['day']}T20:00:00+00:00",
        "messages": [{"role": sides[who], "content": words} for who, words in entry["turns"]],
    }
    (place / "chat.json").write_text(json.dumps(chat, ensure_ascii=False))
    reel(place / "kit", "record", str(place / "chat.json"))
    name = entry["chat"]
    page = f"## What happened\n{text}\n\n## What matters\n{name.capitalize()}.\n\n## Notes\n- {name}\n"
    reel(place / "kit", "checkpoint", "--brief", "--reply", "-", "--yes", stdin=page)


def score(out: Path) -> int:
    """Print what was found of each kind, and what was doubted that is sound."""
    planted, found = Counter[str](), Counter[str]()
    wrong = 0
    for place in sorted(out.iterdir()):
        if not (place / "reply.txt").exists():
            print(f"no reply: {place.name}")
            continue
        by_memory = json.loads((place / "changes.json").read_text())
        reply = str(place / "reply.txt")
        answer = reel(place / "kit", "doctor", "--ask", *by_memory, "--reply", reply, "--json", may_fail=True)
        doubts = [one for one in json.loads(answer)["findings"] if one["check"] == "own-word"]
        for name, changed in by_memory.items():
            file = f"ring3/{name}.md"
            lines = [one["evidence"] for one in doubts if one["where"].partition(":")[0] == file]
            text = (place / "kit" / file).read_text(encoding="utf-8")
            spans = [span_of(text, line) for line in lines]
            places = [
                (kind, now, (text.rindex(now), text.rindex(now) + len(now))) for kind, _, now in changed
            ]
            errors = [where for kind, _, where in places if kind != SOUND]
            beside = [at for at, span in enumerate(spans) if not any(touch(span, where) for where in errors)]
            for kind, now, where in places:
                hit = any(touch(spans[at], where) for at in (beside if kind == SOUND else range(len(spans))))
                planted[kind] += 1
                found[kind] += hit
                if hit == (kind == SOUND):
                    print(f"! {kind}: {place.name} {name}: {now}")
            wrong += len(beside)
            for at in beside:
                print(f"? {place.name}: {lines[at]}")
    print(f"\n{'kind':12}planted  found")
    for kind in planted:
        if kind != SOUND:
            print(f"{kind:12}{planted[kind]:7}{found[kind]:7}")
    all_, caught = (count.total() - count[SOUND] for count in (planted, found))
    print(f"{'all':12}{all_:7}{caught:7}  {caught / max(all_, 1):.2f}")
    print(
        f"doubted: {found[SOUND]} of {planted[SOUND]} sound changes; {wrong} lines about what holds no error"
    )
    return 0


def span_of(text: str, evidence: str) -> tuple[int, int]:
    """Return where in the memory the words stand that a finding quotes; one cut short goes to its stop."""
    quoted = evidence.partition('"')[2].rpartition('" was ')[0].partition('" was ')[0]
    begun = quoted.removesuffix("…").rstrip()
    start = max(text.rfind(begun), 0)
    end = start + len(begun)
    return (start, text.find(". ", end) + 1 or len(text)) if quoted.endswith("…") else (start, end)


def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two stretches have a character in common."""
    return one[0] < other[1] and other[0] < one[1]


def reel(place: Path, *args: str, stdin: str = "", may_fail: bool = False) -> str:
    """Run a command; return what it printed."""
    env = {**os.environ, "NO_COLOR": "1", "REEL_NOW": "2026-06-01T20:00:00+00:00"}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_NAME": "bench", f"GIT_{who}_EMAIL": "bench@example.org"}
    env["PYTHONPATH"] = str(HERE.parent)
    command = [sys.executable, "-m", "reel_cli", *args]
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, env=env, cwd=place, check=False
    )
    if done.returncode and not may_fail:
        sys.exit(f"reel {' '.join(args)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
