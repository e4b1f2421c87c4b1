"""git's own housekeeping, which reel otherwise keeps from happening behind its back."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

from reel_cli.core.git.process import CONFIG, git_environment
from reel_cli.core.git.repository import Repository

LONGEST = 120.0
"""Seconds; tidying that git has not finished by then is left for another time."""
LEFT_TO_GIT = ("gc.auto", "maintenance.auto")
"""Settings that every other git process is started with and this one is not, so that a person's own apply."""


def tidy_history(repo: Repository, longest: float = LONGEST) -> bool:
    """Run git's packing if git finds it worthwhile; return whether git ran to its end.

    Never in a larger repository, which is not the kit's to tidy. What the branch once had stays, however
    old: a session may stand there alone. Whether git ran to its end; that it could not is no fault.
    """
    if repo.prefix or repo.git_dir != repo.common_dir:
        return False
    settings = {key: value for key, value in CONFIG.items() if key not in LEFT_TO_GIT}
    settings |= {
        "gc.autoDetach": "false",
        "gc.reflogExpire": "never",
        "gc.reflogExpireUnreachable": "never",
    }
    options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    try:
        process = subprocess.Popen(
            ["git", "--no-pager", *options, "gc", "--auto", "--quiet"],
            cwd=repo.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=git_environment({"GIT_OPTIONAL_LOCKS": "1"}),
            start_new_session=sys.platform != "win32",
        )
    except OSError:
        return False
    try:
        return process.wait(longest) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            _stop(process)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End it and what it started; git takes its half-made files away itself."""
    with suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()
    process.wait()
