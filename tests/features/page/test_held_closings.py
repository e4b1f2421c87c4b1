"""Notes that a page closes and that its chat does not speak of: they wait where nobody reads the page."""

from collections.abc import Sequence

import pytest

from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files import working_file
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.artifact import Checkpoint, Delta, Verdict
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.page.notes.plan_notes import find_held_closings

CHAT = "2026-05-07-1"
SAID = (
    ("user", "Ines, this is a big day and a good one! I rang Judit about the store."),
    ("assistant", "Great, Tomas. I want to hear all of it."),
)


class Shelf:
    """A kit with one note."""

    def __init__(self, note: str) -> None:
        self.files = {
            "kit.yaml": b"name: Ines\nuser: Tomas Bergh\n",
            WORKING: f"## Open loops\n\n- {note}\n".encode(),
        }

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


@pytest.mark.parametrize(
    ("note", "waits"),
    [
        ("Whether Tomas rang Judit.", False),
        ("The store.", False),
        # nothing but a name, and words said of everything
        ("What Tomas wants to do next.", False),
        ("Tomas and his low confidence.", True),
        ("Whether the downtown place is big enough, and its floor good.", True),
        ("The lease of the boat.", True),
        # a new kit's own note
        ("What Tomas would like to talk about first.", False),
        # its day has passed, so the prompt asks to close it
        ("The lease of the boat, signed on 5 May 2026.", False),
        ("The lease of the boat, to be signed on 9 May 2026.", True),
    ],
)
def test_a_note_waits_of_which_the_chat_has_only_names(note: str, waits: bool) -> None:  # noqa: FBT001
    snapshot = Snapshot(Shelf(note), "kit")
    items = working_file.read_items(snapshot.text(WORKING) or "")
    assert len(items) == 1
    talk = Conversation("t", [Message(role, text) for role, text in SAID], started=f"{CHAT[:10]}T19:00:00Z")
    session = parse_session(render_session(CHAT, talk), "tape")
    ask = Ask("checkpoint", CHAT, None, (), "", "", items=tuple(items))
    page = Checkpoint(
        Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="", delta=Delta(closed=(1,))
    )
    held, why = find_held_closings(snapshot, page, ask, session)
    assert bool(held) == waits
    assert why == "nothing in the chat speaks of it"
