"""Doubted lines of a memory, which bear no later one until a person settled them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.evidence import memory_check
from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.memory_check import hold_all_against_tape
from reel_cli.core.evidence.tape_evidence import TapeEvidence, key_of
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, settle_doubt
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.talk import Conversation, Message
from tests.core.kit.test_glance import settle

TALKS = {
    "2026-05-07-1": ("The mooring broke, and I mended it alone.", "Then the boat is safe."),
    "2026-05-09-1": ("The boat went out again today.", "And the mooring held."),
    "2026-05-11-1": ("We painted the hull.", "Blue, I hope."),
}
INVENTED = "Torvald helped him mend the mooring. He paid 340 kroner for the rope. He spoke of his cousin."
LATER = "Torvald was there. The rope of 340 kroner held. His cousin watched."
KINDS = ["name"]
UNCLEAR = ["number", "word"]
"""Kinds of what nobody spoke of and nothing speaks against."""


class Shelf:
    """A kit of three evenings, with a memory of each as far as texts are given."""

    def __init__(self, *texts: str, untaped: bool = False) -> None:
        self.files = {"kit.yaml": b"name: Ines\nuser: Tomas\n"}
        for session, said in TALKS.items():
            messages = [Message(role, words) for role, words in zip(("user", "assistant"), said, strict=True)]
            talk = Conversation("t", messages, started=f"{session[:10]}T19:00:00+00:00")
            self.files[f"tape/{session[:4]}/{session}.md"] = render_session(session, talk)
        for number, (session, text) in enumerate(zip(TALKS, texts, strict=False), 1):
            source = "" if untaped and number == 1 else f"sessions: [{session}]\nsource: [{session}#1-2]\n"
            head = f"id: M-{number:03d}\ntitle: An evening\nlevel: L1\n{source}"
            self.files[f"ring3/M-{number:03d}.md"] = f"---\n{head}---\n\n{text}\n".encode()

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]

    def shown(self, name: str, verdict: Verdict = Verdict.NOT_BORNE) -> Sequence[str]:
        path = f"ring3/{name}.md"
        text = self.files[path].decode()
        found = TapeEvidence(Snapshot(self, "kit")).judge(parse_memory(text, path), text)
        return sorted(one.detail.kind.value for one in found if one.verdict is verdict)

    def settle(self, name: str) -> None:
        path = f"ring3/{name}.md"
        text = self.files[path].decode()
        memory = parse_memory(text, path)
        for one in TapeEvidence(Snapshot(self, "kit")).judge(memory, text):
            held = self.files.get(SETTLED, b"").decode()
            self.files[SETTLED] = settle_doubt(held, key_of(memory, one.detail), "so", "2026-05-12").encode()


def test_what_was_invented_once_is_doubted_again() -> None:
    shelf = Shelf(INVENTED, LATER, LATER)
    assert shelf.shown("M-001") == KINDS
    assert shelf.shown("M-002") == KINDS
    # also where the last page before repeats it
    assert shelf.shown("M-003") == KINDS
    for name in ("M-001", "M-002"):
        assert set(UNCLEAR) <= set(shelf.shown(name, Verdict.CANNOT_TELL))


def test_what_a_person_settled_bears_the_next_page() -> None:
    shelf = Shelf(INVENTED, LATER)
    shelf.settle("M-001")
    assert shelf.shown("M-001") == []
    assert shelf.shown("M-002") == []


def test_what_a_person_wrote_by_hand_bears_the_next_page() -> None:
    assert Shelf(INVENTED, LATER, untaped=True).shown("M-002") == []


def test_a_noted_doubt_is_looked_at_again_only_once_the_kit_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(INVENTED)
    looked: list[str] = []
    check = TapeEvidence.check

    def counted(self: TapeEvidence, memory: Memory, text: str) -> list[UngroundedDetail]:
        looked.append(memory.id)
        return check(self, memory, text)

    monkeypatch.setattr(TapeEvidence, "check", counted)

    def doubts() -> Sequence[str]:
        for path, data in shelf.files.items():
            if not (tmp_path / path).exists():
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_bytes(data)
        settle(tmp_path)
        notes = hold_all_against_tape(Snapshot(WorkTree(tmp_path), "kit"), tmp_path)
        return [kind for kind, _, _ in notes["ring3/M-001.md"][0]]

    assert (doubts(), looked) == (KINDS, ["M-001"])
    assert (doubts(), looked) == (KINDS, ["M-001"])
    said = [Message("user", "Torvald says hello."), Message("assistant", "Hello, Torvald.")]
    later = Conversation("t", said, started="2026-05-20T19:00:00+00:00")
    shelf.files["tape/2026/2026-05-20-1.md"] = render_session("2026-05-20-1", later)
    assert (doubts(), looked) == ([], ["M-001", "M-001"])


def test_a_memory_without_a_doubt_is_judged_again_only_where_what_it_goes_by_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_check, "_clean", {})
    shelf = Shelf("The mooring broke, and he mended it alone. Then the boat was safe.")
    looked: list[str] = []
    check = TapeEvidence.check

    def counted(self: TapeEvidence, memory: Memory, text: str) -> list[UngroundedDetail]:
        looked.append(memory.id)
        return check(self, memory, text)

    monkeypatch.setattr(TapeEvidence, "check", counted)

    def judge() -> tuple[int, bool]:
        # each time in a folder of its own, where no catalog knows of it
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for path, data in shelf.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        notes = hold_all_against_tape(Snapshot(WorkTree(root), "kit"), root)
        return len(looked), notes["ring3/M-001.md"][0] != []

    assert [judge(), judge()] == [(1, False), (1, False)]
    said = Message("user", "The mooring broke, and I mended it alone."), Message("assistant", "Safe now.")
    talk = Conversation("t", said, started="2026-05-07T19:00:00+00:00")
    shelf.files["tape/2026/2026-05-07-1.md"] = render_session("2026-05-07-1", talk)
    assert judge() == (2, False)
    shelf.files["ring3/M-001.md"] += b"\nHe mended the mooring.\n"
    assert judge() == (3, False)
    shelf.files["ring0/identity.md"] = b"# Who I am\n\nI am Ines.\n"
    assert judge() == (4, False)
    shelf.files["kit.yaml"] = b"name: Ines\nuser: Bo\n"
    assert [judge(), judge()] == [(5, False), (5, False)]
    # one that is doubted is judged each time: other sessions may bear it by now
    shelf.files["ring3/M-001.md"] = Shelf(INVENTED).files["ring3/M-001.md"]
    assert [judge(), judge()] == [(6, True), (7, True)]
