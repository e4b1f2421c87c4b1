"""The thread near to a chat: the same as when every page is parsed, which few chats call for."""

from pathlib import Path

import pytest

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.features.threads.naming import near_thread
from reel_cli.features.threads.survey import open_lattice, read_pages, survey_threads
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.features.threads.naming.test_page_thread import SESSION, record
from tests.support.cli import Reel


def read_kit(root: Path) -> Snapshot:
    return Context(root, Console()).open_kit(reading=True).snapshot


def find_plainly(root: Path, snapshot: Snapshot, session: str) -> str | None:
    """Return the name of the near thread among all threads of a kit, with every page parsed."""
    with open_lattice(root, snapshot) as lattice:
        threads = [one.thread for one in survey_threads(lattice, snapshot, "", read_pages(snapshot))]
    counts = [
        (one.said, sum(n for (chat, _), n in one.ribs.items() if chat == session), one.score, one.name)
        for one in threads
        if len(one.chats) > 1 and session not in one.members
    ]
    counts = [one for one in counts if one[1] >= (2 if one[0] else 4)]
    return max(counts)[3] if counts else None


@pytest.mark.parametrize("named", ["", "bridge:\n  theme: the way over\n"])
def test_the_near_thread_is_that_of_all_pages(reel: Reel, meridian: Path, named: str) -> None:
    record(reel)
    if named:
        (meridian / "threads.yaml").write_text(named)
    snapshot = read_kit(meridian)
    found = {}
    for session in standing_sessions(snapshot):
        thread = near_thread.find_near(snapshot, session)
        found[session] = thread.name if thread else None
        assert found[session] == find_plainly(meridian, snapshot, session)
    assert found[SESSION] == "Dara"
    assert None in found.values()


def test_a_page_that_changed_is_read_again(reel: Reel, meridian: Path) -> None:
    record(reel)
    assert near_thread.find_near(read_kit(meridian), SESSION) is not None
    for file in (meridian / "ring3").glob("M-*.md"):
        file.write_text(file.read_text().replace("Dara", "Mara"))
    snapshot = read_kit(meridian)
    thread = near_thread.find_near(snapshot, SESSION)
    assert (thread.name if thread else None) == find_plainly(meridian, snapshot, SESSION) != "Dara"


def test_a_chat_far_from_all_threads_reads_no_page(
    reel: Reel, meridian: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(reel)
    said = "**Ruth:** I baked bread tonight.\n\n**Meridian:** With or without caraway?\n"
    reel("record", "-", "--on", "2026-03-01", stdin=said).ok()

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(near_thread, "note_terms", refuse)
    assert near_thread.find_near(read_kit(meridian), "2026-03-01-1") is None
    with pytest.raises(AssertionError):
        near_thread.find_near(read_kit(meridian), SESSION)
