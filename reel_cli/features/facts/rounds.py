"""The `Reel-Facts` trailer: which stretch of tape was gone through for facts, and what came of it."""

import re
from collections.abc import Sequence

from reel_cli.core.files.commit_message import ROUND, UNDOES
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.known_facts import Round
from reel_cli.core.values.talk import parse_source

_LINE = re.compile(r"(?P<span>\S+) kept=(?P<kept>\d{1,6}) refused=(?P<refused>\d{1,6})", re.ASCII)


def render_round(one: Round) -> str:
    """Return the trailer's value."""
    return f"{one.span} kept={one.kept} refused={one.refused}"


def list_rounds(repo: Repository | None, tip: str | None = None) -> Sequence[Round]:
    """Return every round up to a commit (full id; None: the newest) that was not undone, newest first."""
    if repo is None or (tip is None and repo.head() is None):
        return ()
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{ROUND}: ", f"--grep=^{UNDOES}: ", "-z"),
        f"--format=%H%x00%(trailers:key={UNDOES},valueonly,unfold)"
        f"%x00%(trailers:key={ROUND},valueonly,unfold)",
        *(tip or "HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    commits = list(zip(parts[::3], parts[1::3], parts[2::3], strict=False))
    undone = {name for _, undoes, _ in commits for name in undoes.split()}
    told = (line for commit, _, rounds in commits if commit not in undone for line in rounds.splitlines())
    return [one for line in told if (one := parse_round(line)) is not None]


def parse_round(line: str) -> Round | None:
    """Read one trailer's value; None where it is none."""
    found = _LINE.fullmatch(line.strip())
    span = parse_source(found["span"]) if found else None
    return Round(span, int(found["kept"]), int(found["refused"])) if found and span else None
