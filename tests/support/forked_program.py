"""The program as a process of its own that need not begin from nothing: this one, forked."""

import os
import selectors
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from reel_cli.terminal.app import run


def run_forked(
    arguments: tuple[str, ...],
    cwd: Path,
    stdin: bytes,
    env: Mapping[str, str],
    prepare: Callable[[], object] = int,
) -> tuple[int, bytes, bytes]:
    """Return what the program answers, piped, in a folder and an environment: its exit code and both streams.

    It has all to itself that a process has, but Python and its modules are not loaded once more. `prepare`
    is called in it before anything else. A process that is killed has a negative code.
    """
    out, to_out = os.pipe()
    err, to_err = os.pipe()
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        with warnings.catch_warnings():
            # the other threads here only pass on what the tests found
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            be_reel(arguments, cwd, env, (given.fileno(), to_out, to_err), prepare)
    os.close(to_out)
    os.close(to_err)
    said: dict[int, bytes] = {out: b"", err: b""}
    with selectors.DefaultSelector() as ready:
        for stream in said:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map():
            for key, _ in ready.select():
                data = os.read(key.fd, 1 << 16)
                said[key.fd] += data
                if not data:
                    ready.unregister(key.fd)
                    os.close(key.fd)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said[out], said[err]


def be_reel(
    arguments: tuple[str, ...],
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[int, int, int],
    prepare: Callable[[], object] = int,
) -> NoReturn:
    """Be the program in this process, which was forked for it, and end with its exit code."""
    code = 99
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
        prepare()
        code = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    finally:
        os._exit(code)
