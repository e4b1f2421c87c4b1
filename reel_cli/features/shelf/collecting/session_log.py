"""`session-log.md`: what was put away, when and why, a report each; it only grows (MEMORY-MGMT §8)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.files.yaml_text import render_scalar

SESSION_LOG = "session-log.md"
HEAD = "# Session log\n\nWhat was put away of the shelf, the newest last. Every report stays.\n"
_FENCE = "```"
_BLOCK = re.compile(r"(?m)^(?=## )")


@dataclass(frozen=True, slots=True)
class GcAction:
    """The outcome for one file, and the kit path of the summary that stands for it, "" for none."""

    path: str
    action: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class GcReport:
    """One collection, as the document has it; `timestamp` is ISO 8601, `tokens_freed` by the kit's count."""

    triggered_by: str
    timestamp: str
    actions: Sequence[GcAction]
    tokens_freed: int

    @property
    def files_affected(self) -> int:
        """Return how many files were let go."""
        return len(self.actions)


def render_report(report: GcReport) -> str:
    """Return the report as YAML."""
    lines = [
        "gc_report:",
        f"  triggered_by: {render_scalar(report.triggered_by)}",
        f"  timestamp: {render_scalar(report.timestamp)}",
        "  actions:" if report.actions else "  actions: []",
    ]
    for one in report.actions:
        lines += [
            f"    - path: {render_scalar(one.path)}",
            f"      action: {one.action}",
            f"      summary: {render_scalar(one.summary) if one.summary else 'null'}",
        ]
    lines += [f"  tokens_freed: {report.tokens_freed}", f"  files_affected: {report.files_affected}"]
    return "\n".join(lines) + "\n"


def append_report(before: str, report: GcReport) -> str:
    """Return the log with one more report; existing text stays as it is."""
    text = before or HEAD
    if not text.endswith("\n"):
        text += "\n"
    if _is_open(text):
        # close the fence of half a report, so that nothing after it is read as part of it
        text += f"{_FENCE}\n"
    return f"{text}\n## {report.timestamp}\n\n{_FENCE}yaml\n{render_report(report)}{_FENCE}\n"


def join_logs(ours: str, theirs: str) -> str:
    """Return one log of two that both grew: theirs, followed by what only ours has."""
    there = {part.strip() for part in _BLOCK.split(theirs)}
    more = [part for part in _BLOCK.split(ours)[1:] if part.strip() not in there]
    text = theirs if theirs.endswith("\n") or not theirs else f"{theirs}\n"
    for part in more:
        text += f"\n{part.strip()}\n" if text.strip() else part
    return text


def _is_open(text: str) -> bool:
    return sum(line.startswith(_FENCE) for line in text.splitlines()) % 2 == 1
