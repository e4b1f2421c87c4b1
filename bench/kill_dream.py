"""Stops a dream of twenty batches at every write, and goes on from the commit alone.

    python bench/kill_dream.py [--evenings 10] [--every 1]

For each batch, a process of its own prints the prompt and takes in the reply, as `reel dream next` does. It
is killed before every write, rename, lock and start of git that it makes, in turn with all that it started
and alone; and right after every git. Checked after each: what git has is as before the batch or as after
it; a fresh clone, which has nothing but the commits, gives the very prompt that an undisturbed dream gives,
and has the very files one batch later; so has the kit itself, with all that was left lying in it. Of every
twentieth, and of the last of each batch, the clone dreams on to the end. Each message has to be in one
prompt, and in one only.
"""

import argparse
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kill import MEMORY, Shim, adopt_orphans, at_event, git, kill_alone, kill_group, wait_for_group

from reel_cli.core.git.intent import transaction_folder
from reel_cli.core.git.repository import find_repository
from reel_cli.terminal.app import run

EVENINGS = 10
"""They make twenty batches, and one more."""
TURNS = 12
WINDOW = "3k"
SECTION = "## Stopped at every write"


def talk(number: int) -> str:
    """One evening, each message of it with a mark of its own, in OpenAI's form."""
    started = f"2026-01-{number:02}T19:00:00+00:00"
    messages = [
        {
            "role": "assistant" if turn % 2 else "user",
            "content": f"({number}/{turn}) The kiln cracked again and I swept the shards into bucket {turn},"
            f" the blue one, evening {number}. " + "It was late and warm and nobody minded. " * 8,
            "created_at": started,
        }
        for turn in range(TURNS)
    ]
    return json.dumps({"title": f"evening {number}", "created_at": started, "messages": messages})


def call(kit: Path, *words: str, typed: str = "") -> str:
    """A whole command, in this process; what it prints. It must succeed."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    streams = sys.stdin, sys.stdout, sys.stderr
    os.chdir(kit)
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8"), out, err
    try:
        code = run(list(words))
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    told = err.buffer.getvalue().decode()
    assert code == 0, f"{words} ended with {code}: {told}"
    text: str = out.buffer.getvalue().decode()
    return text


def reply_to(prompt: str) -> str:
    """A reply that quotes, amends, drops threads and settles one, and holds on to something."""
    key = re.search(r"Copy this: ((\d+)-\S+)", prompt)
    said = re.search(r"\((\d+)/(\d+)\) The (kiln cracked again [^,]+),", prompt.split("What was said")[1])
    assert key is not None
    assert said is not None
    number = int(key[2])
    amended = f'\n\nAmend "the time of number {number - 1}": it was later.' if number > 1 else ""
    settled = f"{number - 1}: done, he wrote to her\n" if number > 1 else ""
    return (
        f"## Which stretch\n{key[1]}\n## The story goes on\nThe {number}\n\nIt was the time of number"
        f' {number} and "{said[3]}" stayed with me.{amended}\n## What was missed\n{settled}'
        f"new: 2026-01-{int(said[1]):02} · both · the bowl of number {number}\n## How we remember\n"
        f"Ask sooner than at number {number}.\n## What to hold on to\ncraft | bucket | {number} | sure |\n"
        "\nAda\n"
    )


def step(kit: Path) -> str:
    """One batch: its prompt out, the reply to it in; the prompt."""
    prompt = call(kit, "dream", "next", "--prompt")
    call(kit, "dream", "next", "--reply", "-", "--yes", typed=reply_to(prompt))
    return prompt


def tree_of(kit: Path) -> str:
    """All files of the last commit, as one name."""
    return git(kit, "rev-parse", "HEAD^{tree}").decode().strip()


@dataclass
class Ground:
    """A dream as it goes undisturbed: the kit before each batch, the files after it, its prompt."""

    folder: Path
    evenings: int
    kits: list[Path] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    to_the_end: int = 0

    def __post_init__(self) -> None:
        kit = self.folder / "ada"
        os.chdir(self.folder)
        call(self.folder, "init", "ada", "--name", "Ada")
        for number in range(1, self.evenings + 1):
            place = self.folder / "talk.json"
            place.write_text(talk(number))
            call(kit, "record", str(place))
        call(kit, "dream", "start", "--yes", "--window", WINDOW)
        self.trees.append(tree_of(kit))
        while json.loads(call(kit, "dream", "status", "--json"))["state"] == "running":
            before = self.folder / f"before-{len(self.kits)}"
            shutil.copytree(kit, before, symlinks=True)
            self.kits.append(before)
            self.prompts.append(step(kit))
            self.trees.append(tree_of(kit))
        self.read_once()

    def read_once(self) -> None:
        """Every message is in one prompt, and in one only."""
        told = Counter(mark for text in self.prompts for mark in re.findall(r"\((\d+/\d+)\) The kiln", text))
        wanted = {f"{number}/{turn}" for number in range(1, self.evenings + 1) for turn in range(TURNS)}
        assert set(told) == wanted
        assert set(told.values()) == {1}

    def kill(self, batch: int, kind: str, prepare: Callable[[], None]) -> bool:
        """Dream one batch in a process of its own and kill it; whether it was killed."""
        kit = self.folder / "scratch"
        shutil.rmtree(kit, ignore_errors=True)
        shutil.copytree(self.kits[batch], kit, symlinks=True)
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            status = 1
            try:
                prepare()
                step(kit)
                status = 0
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        wait_for_group(child)
        if not os.WIFSIGNALED(status):
            assert os.waitstatus_to_exitcode(status) == 0
        self.kills[kind] += os.WIFSIGNALED(status)
        self.check(kit, batch, f"batch {batch + 1}, {kind}", last=not os.WIFSIGNALED(status))
        return os.WIFSIGNALED(status)

    def check(self, kit: Path, batch: int, what: str, *, last: bool) -> None:
        """Look at what a kill left, and go on from it."""
        fresh = self.folder / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        subprocess.run(["git", "clone", "-q", kit, fresh], cwd=self.folder, check=True)
        fresh.chmod(0o700)
        at = {tree: place for place, tree in enumerate(self.trees)}.get(tree_of(fresh), -1)
        if at not in (batch, batch + 1):
            self.wrong.append(f"{what}: between")
            return
        for place in (fresh, kit):
            call(place, "dream", "status")  # whatever runs next clears up, as this does
            if at < len(self.prompts) and step(place) != self.prompts[at]:
                self.wrong.append(f"{what}: another prompt, {place.name}")
            if tree_of(place) != self.trees[min(at + 1, len(self.prompts))]:
                self.wrong.append(f"{what}: other files, {place.name}")
            if git(place, "--no-optional-locks", "status", "--porcelain"):
                self.wrong.append(f"{what}: something left over, {place.name}")
        if last or self.kills.total() % 5 == 0:
            git(kit, "fsck", "--strict")
        repo = find_repository(kit)
        assert repo is not None
        if transaction_folder(kit).exists() or list(repo.common_dir.rglob("*.lock")):
            self.wrong.append(f"{what}: locks")
        if last or self.kills.total() % 20 == 0:
            self.to_the_end += 1
            for number in range(at + 1, len(self.prompts)):
                if step(fresh) != self.prompts[number]:
                    self.wrong.append(f"{what}: another prompt later, {number + 1}")
            if tree_of(fresh) != self.trees[-1]:
                self.wrong.append(f"{what}: another end")


def keep(batches: int, told: Sequence[str], wrong: int) -> None:
    """Write what was found below what `dream.py` writes."""
    place = Path(__file__).resolve().parent / "results-dream.md"
    before = place.read_text(encoding="utf-8").partition(SECTION)[0] if place.exists() else ""
    lines = "\n".join(("```", *told, f"{wrong:6}  wrong", "```"))
    about = f"`python bench/kill_dream.py`: {batches} batches."
    place.write_text(f"{before.rstrip()}\n\n{SECTION}\n\n{about}\n\n{lines}\n", encoding="utf-8")


def main() -> int:
    """Kill everywhere; 1 where anything was lost, read twice or written otherwise."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--evenings", type=int, default=EVENINGS)
    reader.add_argument("--every", type=int, default=1, help="only each so many-th write")
    asked = reader.parse_args()
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    os.environ |= {"REEL_NOW": "2026-03-01T20:00:00+00:00", "REEL_DEBUG": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "Bo", f"GIT_{who}_EMAIL": "bo@example.org"}
    adopt_orphans()
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name:
        ground = Ground(Path(name), asked.evenings)
        shim = Shim(Path(name) / "bin")
        print(f"{len(ground.prompts)} batches, {asked.evenings * TURNS} messages", flush=True)
        for batch in range(len(ground.prompts)):
            number = 1
            while ground.kill(
                batch,
                f"before a write, {('all', 'alone')[(number // asked.every + batch) % 2]}",
                at_event(number, (kill_group, kill_alone)[(number // asked.every + batch) % 2]),
            ):
                number += asked.every
            number = 1
            while ground.kill(batch, "after a git, all", shim.prepare("after", number)):
                number += asked.every
            print(
                f"  batch {batch + 1}: {ground.kills.total()} kills so far, {len(ground.wrong)} wrong",
                flush=True,
            )
        os.chdir("/")
    told = [f"{count:6}  {kind}" for kind, count in sorted(ground.kills.items())]
    told.append(f"{ground.kills.total():6}  kills; {ground.to_the_end} of them dreamt to the end")
    print("\n".join(told))
    print(f"wrong: {len(ground.wrong)}")
    for what in ground.wrong[:20]:
        print(f"  {what}")
    if asked.evenings == EVENINGS and asked.every == 1:
        keep(len(ground.prompts), told, len(ground.wrong))
    return int(bool(ground.wrong))


if __name__ == "__main__":
    sys.exit(main())
