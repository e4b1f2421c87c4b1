"""Kills every kind of write at every system call, and the commands after it too, and looks for harm.

    python bench/kill_all.py --kills 2000 --seed 1 [--only purge,record]

A small library, compiled here and loaded into reel and the gits that it starts, counts the calls that change
the disk (rename, link, unlink, mkdir, rmdir, fsync, open for writing). At the call with a drawn number, it
kills the whole group of processes. Then the next command is killed in the same way, up to four in a row; then
one runs to its end. Checked after each chain: nothing is stuck (status, a writing command), git finds no
damage, files and index are as history has them, no lock is left, `tape verify` raises no alarm, every word
that was on the tape or was recorded since is there, and of what is purged all is there or nothing.

A command is a fork of this process, which imports whatever module a command has needed, so that the next one
finds it loaded: most of a command's time goes into imports, which change nothing on the disk.
"""

import argparse
import ctypes
import gc
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.shelf import copy_kit

MEMORY = "/dev/shm"  # noqa: S108 (a kill is no power cut, so a disk in memory will do, and is quick)
DEEPEST = 4
STUCK = 120
"""A command that takes longer than this is stuck, in seconds; it waits for a lock for 5 at most."""
LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct state { long at; long seen; int group; };
static struct state *shared;

__attribute__((constructor)) void begin(void) {
  const char *place = getenv("KILL_STATE");
  if (!place) return;
  int fd = open(place, O_RDONLY);
  close(fd);
  fd = open(place, O_RDWR);
  if (fd < 0) return;
  shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (shared == MAP_FAILED) shared = 0;
  close(fd);
}
static void hit(void) {
  if (!shared || !shared->group) return;
  if (__sync_add_and_fetch(&shared->seen, 1) != shared->at) return;
  kill(-shared->group, SIGKILL);
  kill(0, SIGKILL);
}
#define HOOK(result, name, given, passed) \
  result name given { static result (*next) given; if (!next) next = dlsym(RTLD_NEXT, #name); \
    hit(); return next passed; }
HOOK(int, rename, (const char *a, const char *b), (a, b))
HOOK(int, renameat, (int x, const char *a, int y, const char *b), (x, a, y, b))
HOOK(int, link, (const char *a, const char *b), (a, b))
HOOK(int, linkat, (int x, const char *a, int y, const char *b, int f), (x, a, y, b, f))
HOOK(int, unlink, (const char *a), (a))
HOOK(int, unlinkat, (int x, const char *a, int f), (x, a, f))
HOOK(int, rmdir, (const char *a), (a))
HOOK(int, mkdir, (const char *a, mode_t m), (a, m))
HOOK(int, mkdirat, (int x, const char *a, mode_t m), (x, a, m))
HOOK(int, fsync, (int x), (x))
#define OPEN(name) \
  int name(const char *a, int f, ...) { static int (*next)(const char *, int, ...); mode_t m = 0; \
    if (!next) next = dlsym(RTLD_NEXT, #name); \
    if (f & O_CREAT) { va_list l; va_start(l, f); m = va_arg(l, mode_t); va_end(l); } \
    if ((f & O_ACCMODE) != O_RDONLY) hit(); \
    return next(a, f, m); }
OPEN(open)
OPEN(open64)
#define OPENAT(name) \
  int name(int x, const char *a, int f, ...) { mode_t m = 0; \
    static int (*next)(int, const char *, int, ...); \
    if (!next) next = dlsym(RTLD_NEXT, #name); \
    if (f & O_CREAT) { va_list l; va_start(l, f); m = va_arg(l, mode_t); va_end(l); } \
    if ((f & O_ACCMODE) != O_RDONLY) hit(); \
    return next(x, a, f, m); }
OPENAT(openat)
OPENAT(openat64)
"""


class KillState(ctypes.Structure):
    """Counters of the library, in a file that all processes of a command map."""

    _fields_ = (("at", ctypes.c_long), ("seen", ctypes.c_long), ("group", ctypes.c_int))


@dataclass(frozen=True)
class Write:
    """One kind of write: what is done beforehand, the command, and what is typed into it."""

    name: str
    command: Sequence[str]
    before: Sequence[Sequence[str]] = ()
    typed: str = ""
    make: Callable[[Path], str] | None = None
    """Makes the rest of what has to be there beforehand, and what is typed."""
    purges: str = ""


@dataclass
class Ground:
    """A kit in which one write is about to happen, and how many calls the write makes."""

    write: Write
    template: Path
    typed: str
    calls: int = 0
    changed: str = ""
    """Changes by a person, as git lists them."""
    tape: dict[str, bytes] = field(default_factory=dict)
    after: dict[str, bytes] = field(default_factory=dict)
    """The tape once the write was done without a kill."""


@dataclass
class Tally:
    """Counts of kills, and the harm they did."""

    kills: Counter[str] = field(default_factory=Counter)
    chains: int = 0
    harm: list[str] = field(default_factory=list)


def run_reel(
    kit: Path, *words: str, typed: str = "", at: int = 0, state: Path | None = None
) -> tuple[int, str]:
    """Run a whole command in a process group of its own; return its exit code and what it said.

    With `state`, calls are counted there; at call number `at` the group is killed (0: never).
    """
    with (
        tempfile.TemporaryFile(dir=MEMORY) as said,
        tempfile.TemporaryFile(dir=MEMORY) as given,
        tempfile.TemporaryFile(dir=MEMORY) as loaded,
    ):
        given.write(typed.encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            code = 255
            try:
                os.setsid()
                signal.alarm(STUCK)
                for number, stream in ((0, given), (1, said), (2, said)):
                    os.dup2(stream.fileno(), number)
                    opened = os.fdopen(number, "r" if number == 0 else "w", closefd=False)
                    setattr(sys, ("stdin", "stdout", "stderr")[number], opened)
                os.chdir(kit)
                if state is not None:
                    arm(state, at)
                from reel_cli.terminal.app import run

                code = run(list(words))
                sys.stdout.flush()
                sys.stderr.flush()
                loaded.write(" ".join(sys.modules).encode())
                loaded.flush()
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == -signal.SIGALRM:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        wait_for_orphans()
        loaded.seek(0)
        load(loaded.read().decode().split())
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read().decode("utf-8", "replace")


def load(names: Sequence[str]) -> None:
    """Import the modules that a command has needed, for all the commands to come."""
    for name in names:
        if name not in sys.modules:
            with suppress(ImportError):
                importlib.import_module(name)


def arm(state: Path, at: int) -> None:
    """Have the library count from here on, in this process and those that it starts."""
    state.write_bytes(bytes(KillState(at, 0, os.getpgrp())))
    os.environ["KILL_STATE"] = str(state)
    library = ctypes.CDLL(os.environ["KILL_LIBRARY"])
    library.begin()


def wait_for_orphans() -> None:
    """Wait for what a killed process had started (Linux: they are this process's children by now)."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


def seen(state: Path) -> int:
    """Return how many calls were counted."""
    return int(KillState.from_buffer_copy(state.read_bytes()).seen)


def git(kit: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=kit, capture_output=True, check=False)
    return f"!{done.stderr.decode()}" if done.returncode else done.stdout.decode("utf-8", "replace")


# -- the writes -------------------------------------------------------------------------------------


def chat(number: int, turns: int = 6) -> str:
    said = [
        {
            "role": "assistant" if turn % 2 else "user",
            "content": f"({number}/{turn}) The kiln cracked again, and I swept the shards into bin {turn}.",
        }
        for turn in range(turns)
    ]
    return json.dumps(
        {"title": f"evening {number}", "created_at": "2026-03-11T19:00:00+00:00", "messages": said}
    )


def reel_of(kit: Path) -> Callable[..., str]:
    """Return a function that runs a command in a kit, which must succeed, and returns what it said."""

    def call(*words: str, typed: str = "") -> str:
        code, said = run_reel(kit, *words, typed=typed)
        assert code == 0, (words, said)
        return said

    return call


def ask_keep(kit: Path) -> str:
    """A long chat that outgrows its window, its prompt, and the reply to it."""
    call, place = reel_of(kit), kit.parent / "long.json"
    place.write_text(chat(2, 60))
    key = re.search(r"Copy this: (\S+)", call("keep", "--prompt", str(place)))
    parts = [
        ("Which stretch", key[1] if key else ""),
        ("The conversation so far", "The kiln cracked again, and I swept the shards into a bucket."),
        ("What shows over time", "nothing"),
    ]
    return "".join(f"## {label}\n{text}\n\n" for label, text in parts) + "Ada\n"


def ask_dream(kit: Path) -> str:
    """A dream begun, its first prompt, and the reply to it."""
    call = reel_of(kit)
    call("record", "-", typed=chat(4, 12))
    call("dream", "start", "--yes")
    key = re.search(r"Copy this: (\S+)", call("dream", "next", "--prompt"))
    parts = [
        ("Which stretch", key[1] if key else ""),
        ("The story goes on", "We swept the kiln, in the way we had, and the shards went into a bucket."),
        *((label, "nothing") for label in ("What was missed", "How we remember", "What to hold on to")),
    ]
    return "".join(f"## {label}\n{text}\n\n" for label, text in parts) + "Ada\n"


def edited_by_hand(kit: Path) -> str:
    """A person's edit of the identity, which waits for their word."""
    with (kit / "ring0/identity.md").open("a") as file:
        file.write("\nI keep the window open at night.\n")
    return ""


def at_two_machines(kit: Path) -> str:
    """A merge under way of two clones that each recorded an evening."""
    other = kit.with_name(f"{kit.name}-other")
    git(kit.parent, "clone", "-q", str(kit), str(other))
    for place, number in ((kit, 7), (other, 8)):
        code, said = run_reel(place, "record", "-", typed=chat(number))
        assert code == 0, said
    git(kit, "pull", "-q", "--no-rebase", "--no-edit", str(other), "main")
    shutil.rmtree(other)
    return ""


def mcp_calls(kit: Path) -> str:
    """Calls of a program that is connected over MCP: notes and a page for a person's word."""
    del kit
    begin = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }
    calls: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": begin},
        {"method": "notifications/initialized"},
        *(
            {"id": n, "method": "tools/call", "params": {"name": name, "arguments": given}}
            for n, (name, given) in enumerate(
                [
                    ("recall", {"query": "the boat"}),
                    ("remember", {"text": "Tomas is allergic to penicillin"}),
                    ("remember", {"text": "The residency wants forty pages"}),
                ],
                start=2,
            )
        ),
    ]
    return "".join(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)


SERVER = "@server"
"""Stands for the address of a server of chats that this bench runs."""
PAGE = str(ROOT / "demo/reply.md")
SESSION = str(ROOT / "demo/further-session.json")
WRITES = (
    Write("record", ("record", SESSION)),
    Write(
        "checkpoint",
        ("checkpoint", "--reply", PAGE, "--yes"),
        (("record", SESSION), ("checkpoint", "--prompt")),
    ),
    Write("fact", ("fact", "add", "preferences", "tea", "green")),
    Write("forget", ("forget", "M-012", "--yes")),
    Write("restore", ("restore", "M-012"), (("forget", "M-012", "--yes"),)),
    Write("undo", ("undo", "--yes"), (("fact", "add", "preferences", "tea", "green"),)),
    Write("maintain", ("maintain", "--auto")),
    Write("flag", ("tape", "flag", "the last page was wrong")),
    Write("retract", ("tape", "retract", "2026-02-25-1", "--yes")),
    Write("shelf", ("shelf", "add", "../draft.md")),
    Write("pin", ("memory", "pin", "M-012")),
    Write(
        "exemplar", ("exemplar", "add", "--from", "2026-02-25-1#4-7", "--title", "A train", "--role", "humor")
    ),
    Write("import", ("import", "lorebook", "../lore.json", "--yes")),
    Write("keep", ("keep", "--reply", "-", "--yes"), make=ask_keep),
    Write("dream", ("dream", "next", "--reply", "-", "--yes"), make=ask_dream),
    Write(
        "review",
        ("review", "accept", "ring0/identity.md", "--yes", "--as", "Bo <bo@x.org>"),
        make=edited_by_hand,
    ),
    Write("consolidate", ("consolidate", "2026-03-11-1", "--reply", PAGE, "--yes"), (("record", SESSION),)),
    Write("backup", ("backup", "../kit.bundle", "--force")),
    Write("export", ("export", "card", "--out", "../out.json", "--force")),
    Write("join", ("doctor", "--fix"), make=at_two_machines),
    Write("chat", ("chat", "--via", SERVER), typed="The kiln cracked.\nWhich bucket was it?\nGood night.\n"),
    Write("mcp", ("mcp",), make=mcp_calls),
    Write("purge", ("purge", "2025-09-14-1", "--confirm", "Ada"), purges="2025-09-14-1"),
    Write("purge-text", ("purge", "--match", "Perhaps", "--confirm", "Ada"), purges="Perhaps"),
)
OTHER = (("status",), ("record", "-"), ("tape", "verify"), ("fact", "add", "preferences", "coffee", "black"))
"""The commands that come after a kill, and are killed too."""


def prepare(write: Write, folder: Path, state: Path) -> Ground | None:
    """Make the kit in which a write is about to happen; None where the write cannot be done here."""
    kit = folder / write.name
    code, said = run_reel(folder, "init", str(kit), "--template", str(ROOT / "kits/ada"))
    assert code == 0, said
    for words in write.before:
        code, said = run_reel(kit, *words)
        assert code == 0, (words, said)
    typed = write.make(kit) if write.make is not None else write.typed
    ground = Ground(write, kit, typed)
    ground.changed = git(kit, "--no-optional-locks", "status", "--porcelain")
    files = {p.relative_to(kit).as_posix(): p.read_bytes() for p in sorted(kit.glob("tape/**/*.md"))}
    # in a merge under way, a session stands there with both machines' words, and becomes two
    ground.tape = {path: data for path, data in files.items() if b"<<<<<<< " not in data}
    scratch = copy(ground, folder)
    code, said = run_reel(scratch, *write.command, typed=typed, state=state)
    ground.calls = seen(state)
    ground.after = {p.relative_to(scratch).as_posix(): p.read_bytes() for p in scratch.glob("tape/**/*.md")}
    if code:
        print(f"left out: {write.name} ends with {code}: {said.strip()[:200]}")
        return None
    return ground


def copy(ground: Ground, folder: Path) -> Path:
    scratch = folder / "scratch" / "kit"
    shutil.rmtree(scratch.parent, ignore_errors=True)
    copy_kit(ground.template, scratch)
    (scratch.parent / "draft.md").write_text("# A draft\n\nShe reads the letter standing up.\n")
    entry = {"uid": 0, "key": ["harbour"], "comment": "Harbour", "content": "The harbour freezes in January."}
    (scratch.parent / "lore.json").write_text(json.dumps({"entries": {"0": entry}}))
    (scratch.parent / "long.json").write_text(chat(2, 60))
    return scratch


def try_once(ground: Ground, folder: Path, state: Path, chance: random.Random, tally: Tally) -> None:
    """One chain of kills, and what is left after it."""
    kit = copy(ground, folder)
    trail = []
    problems = []
    done = set()
    command, typed, calls = ground.write.command, ground.typed, ground.calls
    for depth in range(chance.randint(1, DEEPEST)):
        at = chance.randint(1, max(1, calls))
        code, told = run_reel(kit, *command, typed=typed, at=at, state=state)
        trail.append(f"{' '.join(command)[:40]} at {at}: {code}")
        if code == -signal.SIGKILL:
            tally.kills[ground.write.name if not depth else "the command after"] += 1
        elif code < 0:
            problems.append(f"stuck: {' '.join(command)}")
        elif code == 255 or "Traceback" in told or "bug in reel" in told:
            problems.append(f"{' '.join(command)}: {' '.join(told.split())[:300]}")
        elif code == 0:
            done.add(command)
        command = chance.choice((*OTHER, ground.write.command))
        again = command == ground.write.command
        typed = ground.typed if again else chat(3)
        # what a stopped command left is settled within a command's first calls
        calls = ground.calls if again else chance.choice((30, 120))
    tally.chains += 1
    problems += look_for_harm(ground, kit, done)
    if problems:
        tally.harm.append(f"{ground.write.name}: {'; '.join(problems)}\n    after {' | '.join(trail)}")
        print(f"- {tally.harm[-1]}", flush=True)
    if tally.chains % 50 == 0:
        print(f"{tally.chains} chains, {tally.kills.total()} kills", flush=True)


def look_for_harm(ground: Ground, kit: Path, done: Collection[Sequence[str]] = ()) -> list[str]:
    """Return everything that is wrong after the next command; `done` are those that said they succeeded."""
    found = []
    ends = [("status",), ("tape", "verify"), ("tape", "flag", "the next command"), ("tape", "verify")]
    if ground.write.name == "join":
        ends.insert(1, ("doctor", "--fix"))
    for words in ends:
        code, told = run_reel(kit, *words)
        if code not in ((0, 1) if words == ("doctor", "--fix") else (0,)):
            found.append(f"{' '.join(words)} ends with {code}: {' '.join(told.split())[:300]}")
    if damage := git(kit, "fsck", "--full", "--no-dangling", "--no-progress"):
        found.append(f"fsck: {damage[:200]}")
    changed = git(kit, "--no-optional-locks", "status", "--porcelain")
    if changed not in ("", ground.changed):
        found.append(f"not as committed: {changed[:200]}")
    left = list((kit / ".git").rglob("*.lock"))
    left += [p for p in (kit / ".reel/state/txn", kit / ".reel/state/purge") if p.exists()]
    if left:
        found.append(f"left: {', '.join(str(p.relative_to(kit)) for p in left)}")
    return found + look_for_losses(ground, kit, done)


def look_for_losses(ground: Ground, kit: Path, done: Collection[Sequence[str]]) -> list[str]:
    """Return which words of the tape are gone that no finished purge took away."""
    found = []
    now = {p.relative_to(kit).as_posix(): p.read_bytes() for p in kit.glob("tape/**/*.md")}
    is_purged = bool(ground.write.purges) and "purge: " in git(kit, "log", "--format=%s")
    for path, data in ground.tape.items():
        # a purge leaves of a file what it leaves where nobody disturbs it; what it only adds is salted
        is_cut = is_purged and not ground.after[path].startswith(data)
        if not now.get(path, b"").startswith(ground.after[path] if is_cut else data):
            found.append(f"lost: {path}")
    said = b"".join(now.values()).decode("utf-8", "replace")
    chats = [chat(7), chat(8)] if ground.write.name == "join" else []
    if ("record", "-") in done:
        chats.append(chat(3))
    if ("record", SESSION) in done:
        chats.append(Path(SESSION).read_text())
    texts = [message["content"] for one in chats for message in json.loads(one)["messages"]]
    found += [f"lost: {text[:40]}" for text in texts if text not in said]
    if is_purged:
        found += still_there(ground, kit)
    return found


def still_there(ground: Ground, kit: Path) -> list[str]:
    """Return what a finished purge has left of the words."""
    path = next((p for p in ground.tape if ground.write.purges in p), "")
    if path:
        sought = max(re.findall(rb"[^\n]{30,}", ground.tape[path].split(b"-->")[-1]), key=len)
    else:
        sought = ground.write.purges.encode()
    asked = ["git", "cat-file", "--batch", "--batch-all-objects"]
    objects = subprocess.run(asked, cwd=kit, capture_output=True, check=False).stdout
    return ["the purge is done, and an object still holds the words"] if sought in objects else []


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--kills", type=int, default=2000, help="stop after this many kills")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--only", default="", help="only these writes, with commas between")
    asked = reader.parse_args()
    os.environ |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "REEL_NOW": "2026-03-11T21:10:00+00:00",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{
            f"GIT_{who}_{what}": f"bo@{what}".lower()
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        },
    }
    if "KILL_LIBRARY" not in os.environ:
        # calls of Python's own are only counted where the library is there from the start
        with tempfile.TemporaryDirectory(prefix="reel-kill-") as name:
            source, library = Path(name) / "kill.c", str(Path(name) / "kill.so")
            source.write_text(LIBRARY)
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, str(source), "-ldl"], check=True)
            env = {**os.environ, "KILL_LIBRARY": library, "LD_PRELOAD": library}
            return subprocess.run([sys.executable, *sys.argv], env=env, check=False).returncode
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    import reel_cli.terminal.app  # noqa: F401 (loaded once, for all the processes)
    from tests.support.chat_server import serve_chats

    tally = Tally()
    chance = random.Random(asked.seed)  # noqa: S311 (a seeded draw)
    with tempfile.TemporaryDirectory(
        prefix="reel-kill-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None
    ) as name:
        folder, state = Path(name), Path(name) / "state"
        # where reel notes the kits of this machine
        os.environ["XDG_STATE_HOME"] = str(folder / "notes")
        wanted = set(asked.only.split(",")) - {""}
        writes = [write for write in WRITES if not wanted or write.name in wanted]
        with serve_chats() as server:
            at = {SERVER: server.address}
            writes = [
                replace(write, command=tuple(at.get(word, word) for word in write.command))
                for write in writes
            ]
            grounds = [ground for write in writes if (ground := prepare(write, folder, state)) is not None]
            for ground in grounds:
                print(f"{ground.write.name}: {ground.calls} calls", flush=True)
            gc.collect()
            gc.freeze()
            while tally.kills.total() < asked.kills:
                try_once(chance.choice(grounds), folder, state, chance, tally)
    for kind, count in sorted(tally.kills.items()):
        print(f"{count:6}  {kind}")
    print(f"{tally.kills.total():6}  kills in {tally.chains} chains; harm: {len(tally.harm)}")
    return int(bool(tally.harm))


if __name__ == "__main__":
    sys.exit(main())
