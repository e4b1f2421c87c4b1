"""A hundred words that stand nowhere else, and all that a model or a program gets to read of a kit."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.cli import Reel

SECRETS = [f"{first}{last}{number:02d}" for number, (first, last) in enumerate(
    [(first, last) for first in ("vel", "tor", "quin", "mar", "os", "bel", "dra", "fen", "gal", "hul")
     for last in ("dane", "mire", "sight", "tarn", "wick", "holt", "reave", "stow", "loch", "pyre")]
)]  # fmt: skip


def read_answers(
    reel: Reel, kit: Path, words: Sequence[str], chosen: Sequence[str] = (), windows: Sequence[str] = ("32k",)
) -> Iterator[tuple[str, str]]:
    """Each thing that a person or a program gets to read of a kit, and what it is called.

    What is recalled by a word is without that word. `chosen` are options of each command, `windows` those
    of the dreams.
    """

    def say(*typed: str) -> tuple[str, str]:
        done = reel(*typed, *chosen, cwd=kit)
        return " ".join(typed), done.out + done.err

    yield say("start")
    yield say("pack", "--window", "128k", "--boot")
    for word in words:
        yield f"recall {word}", reel("recall", word, *chosen, cwd=kit).out.replace(word, "")
    for window in windows:
        yield say("dream", "start", "--yes", "--window", window)
        yield say("dream", "next", "--prompt")
        yield say("dream", "stop")
    yield say("dream", "context", "--prompt")
    yield say("checkpoint", "--prompt")
    yield say("consolidate", "--prompt")
    yield say("maintain", "--prompt")
    yield say("memory", "list")
    yield say("fact", "list")
    yield say("status", "--json")
    for name in ("text", "letter", "agents", "preset", "card", "training"):
        out = kit.parent / f"out-{name}"
        reel("export", name, "--out", out, *chosen, cwd=kit)
        files = [out, *out.rglob("*")]
        yield f"export {name}", "".join(one.read_text("utf-8", "replace") for one in files if one.is_file())


def read_tools(kit: Path, words: Sequence[str], chat: str | None = None) -> Iterator[tuple[str, str]]:
    """Each thing that a model gets to read of a kit by its tools."""
    tools = pytest.importorskip("reel_cli.features.mcp.tools")
    resources = pytest.importorskip("reel_cli.features.mcp.resources")
    context = Context(kit, Console(io.StringIO(), io.StringIO()), chat_option=chat)
    for one in resources.READABLE:
        yield one.uri, resources.read(context, one.uri)
    for word in words:
        yield word, tools.call(context, "recall", {"query": word}).text.replace(word, "")
    for one in resources.ASKING:
        try:
            yield one.name, resources.prompt(context, one.name, {})
        except ReelError as error:
            yield one.name, error.message


def text_of(*folders: Path) -> str:
    """All that stands in the files of some folders, without git's."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return "".join(path.read_text("utf-8", "replace") for path in files if ".git" not in path.parts)
