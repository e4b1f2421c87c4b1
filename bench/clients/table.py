"""The page of bench/results-clients.md: what held of each program, what cannot be had, and how to report."""

import platform
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from clients.check import Outcome
from reel_cli import __version__

NOT_DRIVEN = Path(__file__).with_name("not_driven.md")
"""The rest of the page: programs that are read or served without having been run here, and how to report."""


def write_page(outcomes: Sequence[Outcome]) -> str:
    """Return the page."""
    return "\n".join([*_head(), *_programs(outcomes), *_sentences(outcomes), NOT_DRIVEN.read_text("utf-8")])


def _head() -> Iterator[str]:
    yield "# The programs people use, driven"
    yield ""
    machine = (
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, Node.js {_node()}"
    )
    yield f"Written by `make clients` on {datetime.now(UTC).date()} with reel {__version__}: {machine}."
    yield "Each program was installed from its registry, run and used, and each sentence is a check."
    yield "[How it is done](clients/README.md)"
    yield ""


def _programs(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield from ["| program | version | promises that held |", "| --- | --- | --- |"]
    for one in outcomes:
        held, broken = len(one.report.held), len(one.report.broken)
        told = f"not installed: {_cell(one.missing)}" if one.missing else f"{held} of {held + broken}"
        yield f"| {one.check.name} | {one.version or '–'} | {told} |"
    yield ""


def _sentences(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for one in outcomes:
        lines = [f"- **not so:** {_cell(line)}" for line in one.report.broken]
        lines += [f"- {_cell(line)}" for line in one.report.held]
        lines += [f"- not tried: {_cell(line)}" for line in one.report.untried]
        if lines:
            yield from [f"## {one.check.name}", "", *lines, ""]


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        return "none"
    return (
        subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        .stdout.strip()
        .lstrip("v")
    )


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
