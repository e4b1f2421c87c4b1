"""A folder outside the checkout: programs are installed there, each in its own environment, and run."""

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

PATIENCE = 120
"""Seconds that one command of a program may take."""
INSTALL_PATIENCE = 1800
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "2")
NPM = ("npm", "--fetch-retries", "1", "--fetch-retry-mintimeout", "2000", "--fetch-retry-maxtimeout", "5000")
ZONE = "Asia/Kolkata"
"""A zone half an hour beside all others, in which a time that is taken for another zone's is noticed."""
_PLACES = (
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SSL_CERT_FILE",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
)

_PIP_WITH_DAYS = 26
_WHERE = b"\x1b[6n"
"""A program's question where the cursor stands, for which it waits."""


class CannotInstallError(Exception):
    """An error for a program that cannot be had on this machine; `unreachable` where no registry answered."""

    def __init__(self, why: str, *, unreachable: bool = False) -> None:
        super().__init__(why)
        self.unreachable = unreachable


@dataclass(frozen=True)
class Result:
    """Output of a command, and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """An installed program: where it is, and a home for its files, which is empty at first."""

    workshop: "Workshop"
    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.folder / "bin/python"

    def version(self, distribution: str) -> str:
        """Return the version of a package that was installed from PyPI."""
        code = f"import importlib.metadata as m; print(m.version({distribution!r}))"
        return subprocess.run(
            [self.python, "-c", code], check=True, capture_output=True, text=True
        ).stdout.strip()

    def node_version(self, package: str) -> str:
        """Return the version of a package that was installed from npm."""
        text = (self.folder / "node_modules" / package / "package.json").read_text("utf-8")
        found = re.search(r'"version":\s*"([^"]+)"', text)
        assert found is not None
        return found[1]

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the variables of its processes, with a home and a zone of their own."""
        kept = {name: os.environ[name] for name in _PLACES if name in os.environ}
        path = f"{self.folder / 'bin'}{os.pathsep}{kept.get('PATH', os.defpath)}"
        return {**kept, "PATH": path, "HOME": str(self.home), "TZ": ZONE, **(more or {})}

    def run(
        self,
        *command: str | Path,
        said: str = "",
        more: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        patience: int = PATIENCE,
    ) -> Result:
        """Run one of its commands to the end, and return what it printed."""
        return run_command(
            list(map(str, command)),
            said=said,
            env=self.environment(more),
            cwd=cwd or self.home,
            patience=patience,
        )

    def type_lines(
        self, *command: str | Path, lines: Sequence[str], ready: bytes, more: Mapping[str, str] | None = None
    ) -> str:
        """Run a command at a terminal, type a line each time `ready` is printed, and return the screen."""
        env = {**self.environment(more), "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        child, terminal = pty.fork()
        if not child:
            os.chdir(self.home)
            os.execvpe(str(command[0]), list(map(str, command)), env)  # noqa: S606 (this very process)
        printed, answered, left = b"", 0, list(lines)
        ends = time.monotonic() + PATIENCE
        # a terminal whose other side has gone cannot be read
        with suppress(OSError):
            while time.monotonic() < ends:
                if not select.select([terminal], [], [], 0.5)[0]:
                    continue
                printed += (now := os.read(terminal, 1 << 16))
                if _WHERE in now:
                    os.write(terminal, b"\x1b[1;1R")
                if left and printed.count(ready) > answered:
                    answered = printed.count(ready)
                    time.sleep(0.3)
                    os.write(terminal, left.pop(0).encode() + b"\r")
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
        return printed.decode("utf-8", "replace")

    @contextmanager
    def start(
        self,
        *command: str | Path,
        ready: Callable[[], bool],
        more: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Iterator[Path]:
        """Keep a server running while the block lasts, once it is ready; yields its log."""
        log = self.home / f"{Path(command[0]).name}.log"
        with log.open("wb") as printed:
            process = subprocess.Popen(
                list(map(str, command)),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
                env=self.environment(more),
                cwd=cwd or self.home,
                start_new_session=True,
            )
            try:
                until(ready, process, log)
                yield log
            finally:
                end_process(process)


def until(ready: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a server is ready; AssertionError with its last words where it ends or never is."""
    ends = time.monotonic() + PATIENCE
    while not ready():
        told = log.read_text("utf-8", "replace")[-600:]
        assert process.poll() is None, f"the server ended: {told}"
        assert time.monotonic() < ends, f"the server did not come up in {PATIENCE} seconds: {told}"
        time.sleep(0.2)


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """End a process that was started here, with those that it started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, sign)
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                continue


def run_command(
    command: Sequence[str], *, said: str, env: Mapping[str, str], cwd: Path, patience: int = PATIENCE
) -> Result:
    """Run a command with `said` on its standard input."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
        cwd=cwd,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        out, err = process.communicate(said, timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Result(124, out, f"{err}\nIt did not end within {patience} seconds.")
    except BaseException:
        # stopped from outside: nothing that was started here goes on
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return Result(process.returncode, out, err)


class Workshop:
    """The folder of all environments; an environment that is there already is used again.

    `before` is a day: what was published later is not installed, neither a program nor anything it needs.
    """

    def __init__(self, folder: Path, before: str = "") -> None:
        self.folder, self.before = folder, before
        self.folder.mkdir(parents=True, exist_ok=True)

    def install_python(self, name: str, *requirements: str) -> Program:
        """Install packages of PyPI; raises CannotInstallError where that fails."""
        program, fresh = self._program(name, requirements)
        if fresh:
            _install([sys.executable, "-m", "venv", "--without-pip", str(program.folder)], program.folder)
            # by the pip of this environment, which saves making one; what is never run need not be compiled
            pip = [*PIP, "--python", str(program.python), "install", "--quiet", "--no-compile"]
            if self.before and int(version("pip").partition(".")[0]) >= _PIP_WITH_DAYS:
                pip += ["--uploaded-prior-to", self.before]
            _install(
                [*pip, *requirements], program.folder, [*PIP, "index", "versions", _name(requirements[0])]
            )
            self._note(program, requirements)
        return program

    def install_node(self, name: str, *packages: str) -> Program:
        """Install packages of npm; no script of a package is run."""
        if shutil.which("npm") is None:
            message = "npm is not on the PATH"
            raise CannotInstallError(message)
        program, fresh = self._program(name, packages)
        if fresh:
            program.folder.mkdir()
            (program.folder / "package.json").write_text('{"private": true}\n')
            npm = [*NPM, "install", "--no-audit", "--no-fund", "--no-progress", "--ignore-scripts"]
            _install(
                [*npm, *self._until(), *packages],
                program.folder,
                [*NPM, "view", _name(packages[0]), "version"],
            )
            self._note(program, packages)
        return program

    def install_app(self, name: str, package: str) -> Program:
        """Install a package of npm that is a program by itself: unpacked, with what it needs below it."""
        if shutil.which("npm") is None:
            message = "npm is not on the PATH"
            raise CannotInstallError(message)
        program, fresh = self._program(name, [package])
        if fresh:
            program.folder.mkdir()
            asked = [*NPM, "view", _name(package), "version"]
            _install([*NPM, "pack", package, "--silent"], program.folder, asked)
            [packed] = program.folder.glob("*.tgz")
            with tarfile.open(packed) as archive:
                archive.extractall(program.folder, filter="data")
            packed.unlink()
            npm = [
                "npm",
                "install",
                "--omit=dev",
                "--no-audit",
                "--no-fund",
                "--no-progress",
                "--ignore-scripts",
            ]
            _install([*npm, *self._until()], program.folder / "package", asked)
            self._note(program, [package])
        return program

    def _until(self) -> list[str]:
        return ["--before", self.before] if self.before else []

    def _program(self, name: str, wanted: Sequence[str]) -> tuple[Program, bool]:
        program = Program(self, self.folder / name, self.folder / f"{name}-home")
        shutil.rmtree(program.home, ignore_errors=True)
        program.home.mkdir()
        note = self.folder / f"{name}.installed"
        fresh = not note.is_file() or note.read_text() != self._told(wanted)
        if fresh:
            shutil.rmtree(program.folder, ignore_errors=True)
            note.unlink(missing_ok=True)
        return program, fresh

    def _note(self, program: Program, wanted: Sequence[str]) -> None:
        (self.folder / f"{program.folder.name}.installed").write_text(self._told(wanted))

    def _told(self, wanted: Sequence[str]) -> str:
        return "\n".join([*wanted, *([f"before {self.before}"] if self.before else [])])


def _install(command: Sequence[str], folder: Path, asked: Sequence[str] = ()) -> None:
    """Run an install, once more where it fails; raises CannotInstallError.

    `asked` is a question to the registry, whether it has the package in any version. Where that fails too,
    the registry is not reached; otherwise this version, or what it needs, is not to be had.
    """
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    cwd = folder if folder.is_dir() else folder.parent
    for _ in range(2):
        done = run_command(command, said="", env=env, cwd=cwd, patience=INSTALL_PATIENCE)
        if done.code == 0:
            return
    lines = [line.strip() for line in f"{done.out}\n{done.err}".splitlines() if "error" in line.lower()]
    told = max((line for line in lines if "complete log" not in line), key=len, default="it failed")
    away = bool(asked) and run_command(asked, said="", env=env, cwd=cwd).code != 0
    raise CannotInstallError(told[:200], unreachable=away)


def _name(package: str) -> str:
    """Return the name of a package without its version and extras."""
    found = re.match(r"@?[\w./-]+", package)
    assert found is not None
    return found[0]
