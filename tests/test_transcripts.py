"""Whole sessions at the prompt, kept in `transcripts/*.txt` and compared word for word.

A transcript is what a person would see, with a mark before each line:

    # a remark, kept as it is; so are empty lines
    $ reel init ada --name Ada        a command, begun in an empty folder of its own
    < Dear Ada,                       what it reads from its standard input (before its output)
    > Made ada, a companion kit.      a line it printed on stdout
    2> Next: open ada/ring0/…         a line it printed on stderr, in the order they came
    exit 1                            its exit code, where that is not 0

`reel` runs in this process; `NAME=value` before it sets a variable. `cd FOLDER` stays in force for the
commands after it. Anything else goes to `sh`. A line that does not end (a question, say) has `⏎` after it
where its end is missing. `<tmp>` stands for the folder, `<sha>` for any hexadecimal name of 7 digits or more.

`pytest tests/test_transcripts.py --update-transcripts` writes down what is printed now: read the diff.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.cli import Reel, Run

FOLDER = Path(__file__).parent / "transcripts"
MARKS = {"out": ">", "err": "2>"}
UNENDED = "⏎"
_SHA = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|(?m:(?<=^> )[0-9a-f]{7}(?= ))")
_SET = re.compile(r"([A-Z_]+)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One command of a transcript, with the remarks that stand before it."""

    before: str
    command: str
    typed: str


def read_steps(text: str) -> tuple[list[Step], str]:
    """The commands of a transcript, and the remarks after the last one."""
    steps: list[Step] = []
    before = command = typed = ""
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                steps.append(Step(before, command, typed))
                before = ""
            command, typed = line[2:], ""
        elif line.startswith("<"):
            typed += line[1:].removeprefix(" ") + "\n"
        elif not line or line.startswith("#"):
            if command:
                steps.append(Step(before, command, typed))
                before = command = typed = ""
            before += line + "\n"
    if command:
        steps.append(Step(before, command, typed))
        before = ""
    return steps, before


def play(steps: Sequence[Step], reel: Reel, folder: Path) -> Iterator[str]:
    """Run the commands; one piece of the transcript, as it is now, for each."""
    for step in steps:
        done = _run(step, reel, folder)
        typed = "".join(f"< {line}".rstrip() + "\n" for line in step.typed.splitlines())
        code = f"exit {done.code}\n" if done.code else ""
        yield f"{step.before}$ {step.command}\n{typed}{_masked(_marked(done), folder)}{code}"


def _run(step: Step, reel: Reel, folder: Path) -> Run:
    words = shlex.split(step.command)
    if words[0] == "cd":
        reel.cwd = (reel.cwd / words[1]).resolve()
        assert reel.cwd.is_relative_to(folder)
        return Run(0, "", "")
    env: dict[str, str] = {}
    while found := _SET.fullmatch(words[0]):
        env[found[1]] = found[2]
        words.pop(0)
    if words[0] == "reel":
        return reel(*words[1:], stdin=step.typed, env=env)
    done = subprocess.run(
        ["sh", "-c", step.command],
        cwd=reel.cwd,
        input=step.typed,
        capture_output=True,
        text=True,
        env={**os.environ, **reel.env},
        check=False,
    )
    screen = (("out", done.stdout), ("err", done.stderr))
    return Run(done.returncode, done.stdout, done.stderr, screen)


def _marked(done: Run) -> str:
    """Return what was printed, each line with its stream's mark."""
    lines: list[tuple[str, str]] = []
    for name, text in done.screen:
        for piece in text.splitlines(keepends=True):
            if lines and lines[-1][0] == name and not lines[-1][1].endswith("\n"):
                lines[-1] = (name, lines[-1][1] + piece)
            else:
                lines.append((name, piece))
    return "".join(
        f"{MARKS[name]} {line.removesuffix(chr(10))}".rstrip(" ")
        + ("" if line.endswith("\n") else UNENDED)
        + "\n"
        for name, line in lines
    )


def _masked(text: str, folder: Path) -> str:
    return _SHA.sub("<sha>", text.replace(str(folder), "<tmp>"))


NEEDS = {"threads": ("start", "threads"), "waking-warm": ("dream", "stream")}
"""The features without which a transcript shows something else."""


@pytest.mark.wheel
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.needs(*NEEDS.get(name, ("start",))))
        for name in sorted(path.stem for path in FOLDER.glob("*.txt"))
    ],
)
def test_transcript(name: str, reel: Reel, request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{name}.txt"
    expected = path.read_text(encoding="utf-8")
    steps, after = read_steps(expected)
    assert steps, f"{path.name} holds no command"
    actual = "".join(play(steps, reel, reel.cwd)) + after
    if request.config.getoption("--update-transcripts") and actual != expected:
        path.write_text(actual, encoding="utf-8")
    else:
        assert actual == expected


def test_a_transcript_is_read_and_written_alike(reel: Reel) -> None:
    text = (
        "# what the marks mean\n\n"
        "$ cat\n< one\n<\n< three\n> one\n>\n> three\n\n"
        "$ mkdir in && printf 'no end'\n> no end⏎\n"
        "$ cd in\n"
        "$ pwd; echo oh >&2; false\n> <tmp>/in\n2> oh\nexit 1\n"
        "# commits look different each time\n"
        "$ echo 3f9a1c2 1234567 deadbee\n> <sha> 1234567 deadbee\n"
        "$ reel init\n2> Error: Name the folder for the kit.\n"
        "2> Hint: reel init ada --template companion\nexit 2\n"
        "\n# the end\n"
    )
    steps, after = read_steps(text)
    assert "".join(play(steps, reel, reel.cwd)) + after == text
