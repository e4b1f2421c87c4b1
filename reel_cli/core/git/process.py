"""git as a process: one way to start it, and its complaints in plain words."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from reel_cli.core.errors import NO_MEMORY, NO_MEMORY_HINT, StateError, is_out_of_memory
from reel_cli.core.frozen import frozen
from reel_cli.core.git.git_folder import check_for_git
from reel_cli.core.values.change import one_line

CONFIG: Mapping[str, str] = {
    # do not run programs that a repository's settings name
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",
    # ignore display preferences, so that output can be parsed
    "log.showRoot": "true",
    "log.date": "iso",
    "trailer.separators": ":",
    # start no background work, which would outlive the command and its lock
    "gc.auto": "0",
    "maintenance.auto": "false",
    # a commit's objects must be on the disk before the branch names it
    "core.fsync": "committed,reference",
    # keep the index in one file, so that it can be swapped whole
    "core.splitIndex": "false",
    # output that is read by a program
    "core.quotepath": "off",
    "color.ui": "false",
    "i18n.commitEncoding": "utf-8",
    "i18n.logOutputEncoding": "utf-8",
}
"""Settings that every git process is started with, whatever the person's or the repository's are."""

RELOCATING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_DIFF_OPTS",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
"""Variables that would turn git to another repository, or make it read paths as patterns; dropped."""

ENVIRONMENT: Mapping[str, str] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    # an object must match its name; ignore replace refs
    "GIT_NO_REPLACE_OBJECTS": "1",
    # do not let a partial clone fetch, which would run what its remote's settings name
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}
AS_IT_IS: Mapping[str, str] = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull}
"""The environment in which git shows history itself, and not what a setting puts in its place."""


def git_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return git's environment: the person's, without what would redirect it."""
    kept = {key: value for key, value in os.environ.items() if key not in RELOCATING}
    return {**kept, **ENVIRONMENT, **(extra or {})}


def git_options() -> list[str]:
    """Return the options before git's command: the safe settings, and no pager."""
    return ["--no-pager", *(part for key, value in CONFIG.items() for part in ("-c", f"{key}={value}"))]


def git_process(
    cwd: Path,
    *args: str,
    input: bytes | IO[bytes] | None = None,  # noqa: A002 (subprocess's own word)
    env: Mapping[str, str] | None = None,
    holding: tuple[int, ...] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run git on some bytes or an open file, and wait for it, whatever it answers.

    `holding` are descriptors it keeps open.

    Raises StateError when git cannot be started, or would wait for a pipe among its objects.
    """
    check_for_git(cwd)
    inherited = holding if sys.platform != "win32" else ()
    try:
        plain = isinstance(input, bytes | None)
        given: dict[str, Any] = {"input": input or b""} if plain else {"stdin": input}
        return subprocess.run(
            ["git", *git_options(), *args],
            cwd=cwd,
            **given,
            capture_output=True,
            env=git_environment(env),
            pass_fds=inherited,
            check=False,
        )
    except OSError as error:
        raise start_problem(error, cwd) from None


def run_git(
    cwd: Path,
    *args: str,
    input: bytes | IO[bytes] | None = None,  # noqa: A002 (subprocess's own word)
    env: Mapping[str, str] | None = None,
    check: bool = True,
    holding: tuple[int, ...] = (),
) -> bytes:
    """Run git in `cwd` and return what it printed.

    Paths go after `--` and are taken literally. With `check` false, a failure's output is
    returned as it is. Raises StateError in plain words.
    """
    done = git_process(cwd, *args, input=input, env=env, holding=holding)
    if check and done.returncode:
        command = next(word for word in args if not word.startswith("-") and "=" not in word)
        raise git_problem(done.stderr.decode("utf-8", "replace"), command, cwd, status=done.returncode)
    return done.stdout


@frozen
class Git:
    """git in one work tree, its processes keeping the given descriptors (a lock's) open."""

    cwd: Path
    holding: tuple[int, ...] = ()

    def __call__(
        self,
        *args: str,
        input: bytes | IO[bytes] | None = None,  # noqa: A002 (subprocess's own word)
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git and return what it printed; StateError when it fails."""
        return run_git(self.cwd, *args, input=input, env=env, holding=self.holding)


def start_problem(error: OSError, cwd: Path) -> StateError:
    """Return the error for a git that could not be started."""
    if isinstance(error, FileNotFoundError) and Path(cwd).is_dir():
        return StateError(
            "git is not installed.", hint="get it from https://git-scm.com, then run the command again"
        )
    if is_out_of_memory(error):
        return StateError(NO_MEMORY, hint=NO_MEMORY_HINT)
    return StateError(f"git cannot be started: {one_line(error.strerror or str(error))}.")


TOO_LARGE = 25
"""SIGXFSZ, the signal for a write beyond the largest allowed file."""

NEXT_TO_NOTHING = 64 * 1024
"""Free bytes below which a failed write is blamed on the lack of space."""

NOT_WRITTEN = ("unable to write", "couldn't write")

NO_ROOM = ("The disk is full.", "make some room, then run the command again")

NO_REPOSITORY = "not a git repository"
INDEX_DAMAGED = "git's index is damaged"
INDEX_MEND = "reel doctor --fix  (your files stay as they are)"

COMPLAINTS: Sequence[tuple[tuple[str, ...], str, str]] = (
    (("ut of memory", "Cannot allocate memory"), NO_MEMORY, NO_MEMORY_HINT),
    (("No space left on device", "Out of diskspace", "Disk quota exceeded", "File too large"), *NO_ROOM),
    (
        ("dubious ownership",),
        "git does not trust this folder: it belongs to another account.",
        "if it is yours:  git config --global --add safe.directory {place}",
    ),
    (
        ("extensions.objectformat",),
        "git cannot read its settings: {what}.",
        "take the line with objectFormat out of .git/config",
    ),
    (
        ("must be run in a work tree",),
        "git's settings say that this repository has no files of its own (core.bare).",
        "git config core.bare false",
    ),
    (
        (
            "compression level",
            *("bad config", "config value", "unable to access '", "is not a valid timestamp"),
            *("unknown error occurred while reading the configuration", "unable to parse '"),
        ),
        "git cannot read its settings: {what}.",
        "correct the settings file that it names;  git config --list --show-origin  says where each stands",
    ),
    (
        (
            *("Read-only file system", "Permission denied", "insufficient permission", "not permitted"),
            *NOT_WRITTEN,
        ),
        "git may not write in this repository: {what}.",
        "check who may write in {place}",
    ),
    (
        ("index file corrupt", "bad signature", "index file smaller", "bad index", "index uses"),
        f"{INDEX_DAMAGED}: {{what}}.",
        INDEX_MEND,
    ),
    (
        ("unknown repository extension", "Expected git repo version"),
        "This repository needs a newer git: {what}.",
        "install a newer git",
    ),
    (
        (NO_REPOSITORY, "invalid gitfile format"),
        "git cannot use the repository in {place}: {what}.",
        "see what  git status  says there",
    ),
    (
        (
            *("is corrupt", "bad object", "bad tree", "broken", "inflate", "invalid object", "loose object"),
            *("not a valid object", "packfile", "unable to read", "unable to find", "ould not read"),
            *("unable to parse", "not a tree object"),
        ),
        "The history of this kit is damaged: {what}.",
        "git fsck  says what is missing; a clone or backup of the repository has it",
    ),
)
"""Messages of git (any of the signs), what each means, and the fix; the first that matches counts."""


LOCKED = ".lock': File exists"


def lock_problem(lock: Path) -> StateError:
    """Return the error for a lock file of git's that is in the way."""
    return StateError(
        f"Another git is at work in this repository, or one was stopped: {one_line(lock.name)} is there.",
        hint=f"wait until it is done; if none is running, delete {one_line(str(lock))}",
    )


def _is_full(place: Path) -> bool:
    """Return whether the disk is nearly full; git does not always say why it could not write."""
    try:
        return shutil.disk_usage(place).free < NEXT_TO_NOTHING
    except OSError:
        return False


def git_problem(stderr: str, command: str, cwd: Path, *, status: int = 1) -> StateError:
    """Turn git's own complaint into one plain line, with the mend where there is one."""
    if status == -TOO_LARGE or (any(sign in stderr for sign in NOT_WRITTEN) and _is_full(cwd)):
        return StateError(NO_ROOM[0], hint=NO_ROOM[1])
    lines = [line for line in stderr.splitlines() if line.strip()]
    telling = next((line for line in lines if line.startswith(("fatal:", "error:"))), (lines or [""])[-1])
    what = one_line(telling.removeprefix("fatal:").removeprefix("error:"), 160).rstrip(".")
    if LOCKED in stderr:
        return lock_problem(Path(stderr.partition("Unable to create '")[2].partition("'")[0]))
    if NO_REPOSITORY in stderr and (cwd / ".git").is_dir():
        from reel_cli.core.git.head_file import head_problem, is_head_whole

        if not is_head_whole(cwd / ".git"):
            return head_problem(cwd / ".git")
    for signs, message, hint in COMPLAINTS:
        if any(sign in stderr for sign in signs):
            return StateError(
                message.replace("{what}", what).replace("{place}", cwd.name),
                hint=hint.replace("{place}", str(cwd)),
            )
    return StateError(f"git {command} failed: {what or f'it ended with {status}'}.")
