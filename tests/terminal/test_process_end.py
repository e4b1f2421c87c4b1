"""The end of the process: quick, with nothing left unsaid or undone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import CHECKOUT, Reel

EARLY = """
import atexit, runpy, sys, threading, time
sys.argv = ["reel", "--version"]
atexit.register(print, "at the end")
{more}
runpy.run_module("reel_cli", run_name="__main__")
"""
LATE = "threading.Thread(target=lambda: (threading.main_thread().join(), print('in another thread'))).start()"


def leave(more: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", EARLY.format(more=more)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_what_waits_for_the_end_of_the_process_is_done() -> None:
    assert leave().splitlines()[1:] == ["at the end"]


def test_another_thread_is_waited_for() -> None:
    assert leave(LATE).splitlines()[1:] == ["in another thread", "at the end"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only some systems have a file that is full")
def test_output_that_cannot_be_written_is_not_taken_for_written(reel: Reel, kit: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(reel.command("pack"), cwd=kit, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode != 0
    assert done.stderr != b""


def test_piped_together_results_and_notices_come_in_their_order(reel: Reel, kit: Path) -> None:
    done = subprocess.run(
        reel.command("start"), cwd=kit, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True
    )
    text = done.stdout.decode()
    assert (
        text.index("To have the text in a file:")
        < text.index("You are")
        < text.index("Paste it at the start")
    )


PRESSED = """
import runpy, signal, sys
sys.argv = ["reel", "status"]

def press(frame, event, argument):
    app = sys.modules.get("reel_cli.terminal.app")
    begun = hasattr(app, "run") and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if event == "call" and begun is {begun} and {where}:
        sys.setprofile(None)
        signal.raise_signal(signal.SIGINT)

sys.setprofile(press)
runpy.run_module("reel_cli", run_name="__main__")
"""
CODE = "frame.f_code.co_qualname"
CLASS_MADE = f"{CODE} == 'cached_property.__set_name__'"
WEAK_REFERENCE = f"{CODE} == '_get_module_lock.<locals>.cb'"
MODULE = f"{CODE} == '<module>'"


@pytest.mark.parametrize(
    ("begun", "where", "code"),
    [
        (False, CLASS_MADE, -signal.SIGINT),
        (False, MODULE + " and 'pattern_cache' in frame.f_code.co_filename", -signal.SIGINT),
        (True, CLASS_MADE, 130),
        (True, WEAK_REFERENCE, 130),
        (True, MODULE, 130),
    ],
)
def test_ctrl_c_while_modules_are_loaded_is_no_bug(kit: Path, *, begun: bool, where: str, code: int) -> None:
    before = (kit / "kit.yaml").read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", PRESSED.format(begun=begun, where=where)],
        cwd=kit,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.strip() == ("Stopped. Nothing was changed." if begun else "")
    assert (kit / "kit.yaml").read_bytes() == before
