"""With too little memory a command ends in one clear line, and nothing is between before and after."""

import os
import re
import resource
import subprocess
import sys
from functools import partial
from io import StringIO
from pathlib import Path
from typing import NoReturn

import pytest

from reel_cli.core.errors import NO_MEMORY, ReelError, is_out_of_memory
from reel_cli.terminal.console import Console
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.pages import chat

STEPS = tuple(range(18, 44, 4))
"""In megabytes: from where Python itself hardly starts to where every command goes through."""

_RAISED = r"Traceback .*\n(?: .*\n)+\S.*\n"
HASHLIB = re.compile(rf"(?m)^ERROR:root:code for hash .*\n{_RAISED}(?:\nDuring handling of .*\n\n{_RAISED})*")
"""Lines that Python's `hashlib` itself logs, as it is imported, for a hash it has no memory to load."""


def _have(megabytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _spent(hint: str) -> NoReturn:
    raise MemoryError(hint)


def test_an_error_without_memory_for_its_hint_is_not_begun() -> None:
    err = StringIO()
    console = Console(StringIO(), err)
    console.steps = _spent
    with pytest.raises(MemoryError):
        console.error(NO_MEMORY, "close other programs")
    # it is told another way then, and would stand there twice
    assert err.getvalue() == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to what it maps")
@pytest.mark.parametrize("command", ["status", "pack", "record -"])
def test_without_memory_a_command_says_so_and_is_done_or_not(reel: Reel, kit: Path, command: str) -> None:
    heads = [git(kit, "rev-parse", "HEAD")]
    said = []
    for megabytes in STEPS:
        done = subprocess.run(
            reel.command(*command.split()),
            cwd=kit,
            input=chat(("user", f"It has {megabytes}."), ("assistant", "Hm.")).encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            preexec_fn=partial(_have, megabytes),
            check=False,
        )
        err = done.stderr.decode()
        if "Fatal Python error" in err or done.returncode == 127 or "SyntaxError" in err:
            # the interpreter was not up yet, or had no room to compile a module that has no bytecode yet
            continue
        said.append(NO_MEMORY in err)
        # the interpreter itself may add bare lines about a MemoryError
        errors = [line for line in err.splitlines() if line.startswith("Error: ")]
        assert (done.returncode, len(errors)) in {(0, 0), (3, 1)}, err
        assert "Traceback" not in HASHLIB.sub("", err), err
        head = git(kit, "rev-parse", "HEAD")
        assert git(kit, "status", "--porcelain") == ""
        assert (head != heads[-1]) == (done.returncode == 0 and command == "record -")
        heads.append(head)
    assert True in said
    reel("tape", "verify").ok()


def test_only_the_lines_of_hashlib_itself_are_passed_over() -> None:
    lacking = (
        "import sys; sys.modules['_hashlib'] = sys.modules['_blake2'] = None; import hashlib; print('up')"
    )
    done = subprocess.run([sys.executable, "-c", lacking], capture_output=True, text=True, check=True)
    assert done.stdout == "up\n"
    assert "ERROR:root:code for hash blake2b was not found." in done.stderr
    assert HASHLIB.sub("", done.stderr) == ""
    own = "Traceback (most recent call last):\n  File\nMemoryError\n"
    assert HASHLIB.sub("", f"{done.stderr}{own}") == own


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (MemoryError(), True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError("can't start new thread"), True),
        (ImportError("x.so: failed to map segment from shared object"), True),
        (AttributeError("module 'hashlib' has no attribute 'sha1'"), True),
        (AttributeError("module 'json' has no attribute 'x'"), False),
        (OSError(2, "No such file or directory"), False),
        (ReelError("The chat says: out of memory"), False),
        (ValueError("no"), False),
    ],
)
def test_what_counts_as_having_no_memory_left(error: Exception, short: bool) -> None:  # noqa: FBT001
    assert is_out_of_memory(error) is short
    later = KeyError("later")
    later.__cause__ = error
    assert is_out_of_memory(later) is short
