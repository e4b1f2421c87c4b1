"""Common setup of every test: no network, no personal git settings, a fixed clock."""

import gc
import importlib
import itertools
import os
import shutil
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, settings

from reel_cli.core import ports
from reel_cli.core.tape.erasure import fingerprint
from reel_cli.terminal import progress_bar
from tests.support.cli import TAKEN_AWAY, Reel
from tests.support.shelf import ready_made, set_up

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session", autouse=True)
def _shelf(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give what is made once a place; all workers of a run share it."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shelf"
    place.mkdir(exist_ok=True)
    set_up(place)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the tests' homes lie: apart, for pytest reads through all that lies beside a folder it makes."""
    place = tmp_path_factory.mktemp("homes")
    return (place / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _quiet_world(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> None:
    """Give git a name and no settings, put the clock still, and keep HOME out of it."""
    home = next(homes)
    home.mkdir(mode=0o700)
    for name in list(os.environ):
        # what the clipboard is reached by counts only where a test brings its own
        if name.startswith(
            ("GIT_", "REEL_KIT", "XDG_", "TMUX", "SSH_", "DISPLAY", "WAYLAND_", "WSL", "REEL_WATCH")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    # a test that takes HOME away does not reach the real one by it
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".local" / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    (home / "gitconfig").write_text(
        "[user]\n\tname = Bo Lind\n\temail = bo@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    monkeypatch.setenv("REEL_NOW", "2026-03-01T20:00:00+00:00")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    # a bar shows how far it is where a command takes long, and one that waits for a processor may
    monkeypatch.setattr(progress_bar, "WORTH_SHOWING", 3600.0)
    # each print of a purged text takes ten milliseconds, and `tests/core/tape/test_fingerprint.py` takes them
    monkeypatch.setattr(fingerprint, "_COST", 1 << 4)
    # a process that is stopped, or has no room to write, must not leave half a module for the next
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real conversations and vectors nobody here wrote; skipped where they are not at hand."""
    place = Path(os.environ.get("REEL_SHARED_DATA", CHECKOUT.parent / "shared" / "data"))
    if not place.is_dir():
        pytest.skip(f"needs the shared data, which is not at {place} (set REEL_SHARED_DATA)")
    return place


MEMORY = Path("/dev/shm")  # noqa: S108 - the folders below it are pytest's own, and private
EXAMPLES = "_hypothesis_internal_use_settings"
"""Where hypothesis keeps a test's settings; its own pytest plugin changes them there as well."""
LEAST = 10
"""Number of examples that a property keeps where fewer of them are asked for."""
ROOM = 8 << 30
"""In bytes; with less of it free, the tests' kits lie on the disk as well."""


def pytest_configure() -> None:
    """Let the tests' kits lie in memory, where there is plenty: thousands of commits wait for a disk.

    What is made is looked through for garbage less often: most of it lives as long as the run.
    A run in the background is deaf to Ctrl-C, one under `nohup` to a window that is closed, and so would be
    what they start: tests do both.
    Nothing hangs on the clock, so neither does what hypothesis thinks of the time that examples take.
    """
    settings.register_profile("reel", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("reel")
    gc.set_threshold(400_000, 20, 50)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if (hangup := getattr(signal, "SIGHUP", None)) and signal.getsignal(hangup) is signal.SIG_IGN:
        signal.signal(hangup, signal.SIG_DFL)
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    if NOTES:
        vars(ports)["import_module"] = _import_noted


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker begin with tests of its own, where all are run.

    In a checkout that never ran them they are compiled first, which takes longer than all else before
    the first test; beginning with the same one, every worker would compile every one.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if worker and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        folder = Path(__file__).parent
        files = sorted(folder.rglob("test_*.py"))
        for file in files[int(worker) :: int(os.environ["PYTEST_XDIST_WORKER_COUNT"])]:
            with suppress(Exception, pytest.skip.Exception):
                # what cannot be imported, or is passed over, is told where it is collected
                parts = file.relative_to(folder).with_suffix("").parts
                importlib.import_module(".".join((__package__, *parts)))


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the tests and the modules, which live as long as the run."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run only the tests that are asked for, and the part of cases and examples that is.

    `.ci/run` asks for half of the cases, by turns, and for a quarter of the examples of each property;
    `tools/test_wheel.sh` and `tools/take_away.py`, whose code it tries as well, for one example in ten. A
    property that takes few, since each is a whole kit, keeps as many as `LEAST`.
    """
    if ONLY:
        asked = set(Path(ONLY).read_text(encoding="utf-8").splitlines())
        items[:] = [item for item in items if item.nodeid in asked]
    if CASES:
        turn, parts = map(int, CASES.split("/"))
        items[:] = _cases_of_turn(items, turn % parts, parts)
    part = int(os.environ.get("REEL_FEWER_EXAMPLES") or 1)
    if part == 1:
        return
    for function in {item.function for item in items if isinstance(item, pytest.Function)}:
        own = getattr(function, EXAMPLES, None)
        if own is not None:
            fewer = max(-(-own.max_examples // part), min(own.max_examples, LEAST))
            setattr(function, EXAMPLES, settings(own, max_examples=fewer))


def _cases_of_turn(items: Sequence[pytest.Item], turn: int, parts: int) -> list[pytest.Item]:
    """Return the tests without the cases whose turn it is not; a function with few keeps all."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if hasattr(item, "callspec"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    many = [own for own in cases.values() if len(own) >= 2 * parts]
    passed_over = {one.nodeid for own in many for n, one in enumerate(own) if n % parts != turn}
    return [item for item in items if item.nodeid not in passed_over]


CASES = os.environ.get("REEL_CASES")
"""Which part of a function's cases to run: `1/2` is the second of two halves. Without it, all."""
NOTES = os.environ.get("REEL_NOTE_FEATURES")
"""A file to which each test is added with the features that a port imported for it, a line for each."""
ONLY = os.environ.get("REEL_ONLY_TESTS")
"""A file with the tests to run, a line for each; those that are no longer there are passed over."""
_noted: set[str] = set()


def _import_noted(name: str) -> ModuleType:
    """Import a module for a port, and note for which test that was."""
    feature = name.removeprefix("reel_cli.features.").partition(".")[0]
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and feature != "table":
        _noted.add(f"{feature}\t{test}\n")
    return importlib.import_module(name)


def pytest_sessionfinish() -> None:
    """Write down what was noted; each worker adds its own."""
    if NOTES and _noted:
        with Path(NOTES).open("a", encoding="utf-8") as notes:
            notes.writelines(sorted(_noted))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Pass over a file of tests that imports what was taken away."""
    report = yield
    if TAKEN_AWAY and report.failed and _is_missing(str(report.longrepr)):
        report.outcome, report.longrepr = "skipped", (str(collector.path), 0, "uses what was taken away")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Pass over a test that imports what was taken away, or is marked as one that needs it."""
    report = yield
    if TAKEN_AWAY and report.failed and call.excinfo is not None and _is_missing(str(call.excinfo.value)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, "uses what was taken away")
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Pass over a test that is marked with a feature that was taken away, or as one of them all."""
    for mark in item.iter_markers("needs"):
        if TAKEN_AWAY and (not mark.args or set(mark.args) & set(TAKEN_AWAY)):
            pytest.skip("needs what was taken away")


def _is_missing(message: str) -> bool:
    """Return whether an error says that a module or a command of a feature that was taken away is missing."""
    return any(
        f"No module named 'reel_cli.features.{name}" in message
        or f"No module named 'tests.features.{name}" in message
        or f'No command "{name}"' in message
        for name in TAKEN_AWAY
    ) or any(said in message for said in ("No such option: --via", "This reel was installed without "))


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: one always waits for git."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites `tests/transcripts/`."""
    parser.addoption(
        "--update-transcripts", action="store_true", help="write down what the commands print now"
    )


@pytest.fixture
def reel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Reel:
    """The program as a function, in an empty folder of its own."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Reel(monkeypatch, folder)


@pytest.fixture(scope="session")
def new_kits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where kits lie that a file's tests begin with; made once, by the first test that wants one."""
    return tmp_path_factory.mktemp("new")


@pytest.fixture
def kit(reel: Reel) -> Path:
    """A companion kit called Ada, fresh from `reel init`; `reel` runs inside it from here on."""
    root = reel.cwd / "ada"
    made = "init", root, "--template", "companion", "--name", "Ada"
    ready_made(root, "a companion kit", lambda: reel(*made).ok())
    reel.cwd = root
    return root
