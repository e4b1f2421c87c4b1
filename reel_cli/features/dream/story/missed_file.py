"""`story/missed.md`: threads that were dropped, each with its number, and what became of it below."""

import re
from collections.abc import Callable, Sequence

from reel_cli.core.values.change import one_line
from reel_cli.features.dream.dream import Status, Thread, ThreadWord

MISSED = "story/missed.md"
_STATUS = "|".join(status.value for status in Status)
_THREAD = re.compile(rf"(\d{{1,6}})\. ({_STATUS}) · ([^·]*) · ([^·]*) · (.*)")
_WORD = re.compile(rf"[ \t]+- ({_STATUS}) · ([^·]*)·?(.*)")


def parse_threads(text: str, rests: Callable[[str, str], bool] | None = None) -> list[Thread]:
    """Return the threads in their present state; skips other lines, and updates of which `rests` is true.

    It is asked about an update's words and its day.
    """
    found: list[Thread] = []
    for line in text.splitlines():
        told = _THREAD.fullmatch(line.rstrip())
        later = _WORD.fullmatch(line.rstrip())
        if told:
            found.append(
                Thread(int(told[1]), Status(told[2]), told[3].strip(), told[4].strip(), told[5].strip())
            )
        elif later and found and not (rests is not None and rests(later[3], later[2].strip())):
            last = found[-1]
            found[-1] = Thread(last.number, Status(later[1]), last.day, last.owner, last.text)
    return found


def add_threads(text: str, threads: Sequence[Thread], words: Sequence[ThreadWord], when: str) -> str:
    """Return the file with updates below some threads, and with more threads at its end.

    Nothing that stands there is changed; `when` is the day of updates whose own day is unknown, in ISO 8601.
    """
    lines = (text if text.strip() else "# Missed\n").rstrip("\n").split("\n")
    for word in words:
        at = next(
            (
                i
                for i, line in enumerate(lines)
                if (f := _THREAD.fullmatch(line.rstrip())) and int(f[1]) == word.number
            ),
            None,
        )
        if at is None:
            continue
        end = at + 1
        while end < len(lines) and lines[end][:1] in (" ", "\t"):
            end += 1
        told = one_line(word.text) or "nothing more was said"
        lines.insert(end, f"   - {word.status.value} · {word.day or when} · {told}")
    if threads and not _THREAD.fullmatch(lines[-1].rstrip()) and lines[-1][:1] not in (" ", "\t"):
        lines.append("")
    lines += [
        f"{one.number}. {one.status.value} · {_cell(one.day)} · {_cell(one.owner)} · {one_line(one.text)}"
        for one in threads
    ]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return one_line(text.replace("·", "-"), 60)
