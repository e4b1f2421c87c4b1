"""The `console` examples of a page of documentation, played as a person would type them.

A page holds fenced `console` blocks of commands (`$ reel pack`) with what they print, as on a terminal:
results, notices and what was typed, in the order they come. The blocks of a page follow one another in
one folder. A comment before a block, which readers never see, says what the block alone cannot:

    <!-- now: 2026-01-05T21:30:00+00:00 -->   the clock, from here on
    <!-- typed: y | ⏎ | y -->                 what a person types in answer to the block's questions
    <!-- not run -->                          the block is not played
    <!-- file: page.md -->                    the block after it, of any kind, is a file's text

A line `[…]` stands for any lines that are left out. `> file` after a command sends its results there.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.support import cli
from tests.support.cli import CHECKOUT, Reel

LEFT_OUT = "[…]"
ENTER = "⏎"
_DIRECTIVE = re.compile(r"<!-- (now|typed|not run|file)(?:: (.*?))? -->")
_FENCE = re.compile(r"```(\w*)")
_SHA = re.compile(
    r"(?m:^[0-9a-f]{7}(?=  \S| [a-z]+: ))"
    r"|\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7}(?:[0-9a-f]{33})?\b"
)


@dataclass(frozen=True, slots=True)
class Example:
    """One command of a page and what it prints there.

    `line` is where its `$` stands, `lines` how many lines it takes with its output; `now` and
    `typed` are what the page's comments say.
    """

    line: int
    lines: int
    command: str
    printed: str
    now: str | None
    typed: tuple[str, ...]
    run: bool


def read_examples(text: str) -> Iterator[Example]:
    """Every command in a page's `console` blocks, in order."""
    lines = text.splitlines()
    now: str | None = None
    typed: tuple[str, ...] = ()
    run, inside, number = True, "", 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.fullmatch(line)
        if fence:
            if inside == "console":
                typed, run = (), True
            inside = "" if inside else fence[1] or "text"
        elif not inside and (told := _DIRECTIVE.fullmatch(line)):
            if told[1] == "now":
                now = told[2]
            elif told[1] == "typed":
                typed = tuple(answer.strip().removesuffix(ENTER) for answer in told[2].split("|"))
            elif told[1] == "not run":
                run = False
        elif inside == "console" and line.startswith("$ "):
            end = number + 1
            command = line[2:]
            while command.endswith("\\"):
                command = command[:-1] + lines[end].strip()
                end += 1
            begin = end
            while not lines[end].startswith(("$ ", "```")):
                end += 1
            printed = "".join(f"{shown}\n" for shown in lines[begin:end])
            yield Example(number, end - number, command, printed.rstrip("\n") + "\n", now, typed, run)
            number = end
            continue
        number += 1


@dataclass
class Player:
    """Runs a page's examples one after another, in `folder`, on what `reel` makes of them."""

    reel: Reel
    folder: Path

    def play(self, example: Example, answers: list[str]) -> str:
        """Return what a person would see of one command; `answers` are taken away as they are typed."""
        if example.now:
            self.reel.env["REEL_NOW"] = example.now
        words = shlex.split(example.command)
        target: Path | None = None
        if len(words) > 2 and words[-2] == ">":
            target = self.reel.cwd / words[-1]
            words = words[:-2]
        if words[0] == "cd":
            self.reel.cwd = (self.reel.cwd / words[1]).resolve()
            assert self.reel.cwd.is_relative_to(self.folder.resolve())
            return "\n"
        if words[0] == "reel":
            out, screen = self._reel(words[1:], answers)
        else:
            out, screen = self._shell(example.command)
        if target is not None:
            target.write_text(out, encoding="utf-8")
            screen = [(name, text) for name, text in screen if name != "out"]
        return "".join(text for _, text in screen).replace("\r\n", "\n").rstrip("\n") + "\n"

    def _reel(self, words: list[str], answers: list[str]) -> tuple[str, list[tuple[str, str]]]:
        with self.reel.monkeypatch.context() as patch:
            patch.setattr(cli, "_Keyboard", _Typing)
            _Typing.used = 0
            done = self.reel(*words, tty=True, stdin="".join(f"{answer}\n" for answer in answers))
        assert done.code in (0, 1), f"exit {done.code}\n{done.out}{done.err}"
        del answers[: _Typing.used]
        return done.out, list(done.screen)

    def _shell(self, command: str) -> tuple[str, list[tuple[str, str]]]:
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=self.reel.cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **self.reel.env, "GIT_PAGER": "cat"},
            check=True,
        )
        return done.stdout, [("out", done.stdout)]


class _Typing(cli._Keyboard):
    """A keyboard whose every line shows on the screen when it is read, as a terminal has it."""

    used = 0

    def read1(self, size: int | None = -1, /) -> bytes:  # noqa: ARG002
        """One line, however much is asked for."""
        line = self.readline()
        if line:
            _Typing.used += 1
            sys.stderr.write(line.decode())
        return line


def same(printed: str, shown: str) -> bool:
    """Whether a page's text is what was shown, commit names and what is left out aside.

    Each stretch is looked for once, from where the one before it ended: many gaps cost little time.
    """
    stretches: list[list[str]] = [[]]
    for line in mask(printed).splitlines():
        if line == LEFT_OUT:
            stretches.append([])
        else:
            stretches[-1].append(line)
    lines = mask(shown).splitlines()
    if len(stretches) == 1:
        return lines == stretches[0]
    first, *middle, last = stretches
    at, end = len(first), len(lines) - len(last)
    if at > end or lines[:at] != first or lines[end:] != last:
        return False
    for stretch in middle:
        starts = range(at, end - len(stretch) + 1)
        found = next((n for n in starts if lines[n : n + len(stretch)] == stretch), None)
        if found is None:
            return False
        at = found + len(stretch)
    return True


def mask(text: str) -> str:
    """The text with commit names, which differ from run to run, made alike, and no spaces at line ends."""
    return re.sub(r"(?m)[ \t]+$", "", _SHA.sub("3f9a1c2", text))


def play_page(path: Path, reel: Reel, folder: Path, *, update: bool) -> list[str]:
    """Play a page; what differs, example by example. With `update` the page is rewritten instead."""
    text = path.read_text(encoding="utf-8")
    player = Player(reel, folder)
    answers: list[str] = []
    typed: tuple[str, ...] = ()
    changed: list[Example] = []
    for example in read_examples(text):
        if not example.run:
            continue
        if example.typed is not typed:
            assert not answers, f"{path.name}, line {example.line + 1}: nobody asked for {answers}"
            typed, answers = example.typed, list(example.typed)
        shown = player.play(example, answers).replace(f"{folder}/", "")
        if not same(example.printed, shown):
            changed.append(replace(example, printed=retake(example.printed, shown)))
    assert not answers, f"{path.name}: nobody asked for {answers}"
    if update and changed:
        path.write_text(_rewritten(text, changed), encoding="utf-8")
        return []
    return [f"{path.name}, line {one.line + 1}: $ {one.command}\n{one.printed}" for one in changed]


def retake(excerpt: str, text: str) -> str:
    """The excerpt taken anew from a text that has changed, with the same left out.

    Each stretch runs from its first line to its last; where those are gone, all of the text is taken.
    """
    fresh = text.splitlines()
    lines: list[str] = []
    at = 0
    for number, stretch in enumerate(re.split(rf"(?m)^{re.escape(LEFT_OUT)}\n", excerpt)):
        lines += [LEFT_OUT] * (number > 0)
        if old := stretch.splitlines():
            try:
                first = fresh.index(old[0], at)
                at = fresh.index(old[-1], first) + 1
            except ValueError:
                return text
            lines += fresh[first:at]
    return "".join(f"{line}\n" for line in lines) if LEFT_OUT in excerpt else text


def rewrite_files(path: Path, folder: Path) -> None:
    """Take every file's text that a page shows anew from `folder`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line, name, shown in reversed(list(read_files("\n".join(lines)))):
        text = (folder / name).read_text(encoding="utf-8")
        if not same(shown, text):
            lines[line : line + len(shown.splitlines())] = retake(shown, text).splitlines()
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rewritten(text: str, changed: list[Example]) -> str:
    lines = text.splitlines()
    for example in reversed(changed):
        head = example.line + 1
        while lines[head - 1].endswith("\\"):
            head += 1
        lines[head : example.line + example.lines] = re.sub(r"(?m)[ \t]+$", "", example.printed).splitlines()
    return "\n".join(lines) + "\n"


def read_files(text: str) -> Iterator[tuple[int, str, str]]:
    """Each file's text that a page shows: the line of its fence (from 1), the file's name, the text."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        told = _DIRECTIVE.fullmatch(line)
        if told and told[1] == "file":
            fence = re.match(r"`{3,}", lines[number + 1])
            assert fence, f"line {number + 2}: a fenced block should stand here"
            end = lines.index(fence[0], number + 2)
            yield number + 2, told[2], "".join(f"{shown}\n" for shown in lines[number + 2 : end])


def clipboard(folder: Path, page: Path) -> Mapping[str, str]:
    """A clipboard of the test's own: what is copied goes to a file, what is pasted is the page's text."""
    tools = folder / "tools"
    tools.mkdir()
    copied = shlex.quote(str(folder / "copied"))
    for name in ("pbcopy", "pbpaste", "xclip"):
        script = tools / name
        paste = f'case "{name} $*" in pbpaste*|*-o*) cat {shlex.quote(str(page))};; *) cat > {copied};; esac'
        script.write_text(f"#!/bin/sh\n{paste}\n")
        script.chmod(0o755)
    return {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "DISPLAY": ":0", "WAYLAND_DISPLAY": ""}


def reel_on_path(folder: Path) -> Mapping[str, str]:
    """Settings under which a shell finds this very program as `reel`."""
    tools = folder / "bin"
    tools.mkdir()
    script = tools / "reel"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m reel_cli "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(CHECKOUT)}
