"""Look-ups in all that is known: of memories, only those made before count, and of them the newest."""

from collections.abc import Sequence

import pytest

from reel_cli.core.evidence import knowledge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.number_verdict import number_written
from reel_cli.core.kit.snapshot import Snapshot

SESSION = "2026-05-07-1"


class Shelf:
    """A kit of some memories, each with one text."""

    def __init__(self, *texts: str, source: str = f"[{SESSION}]") -> None:
        self.files = {"kit.yaml": b"name: Ada\nuser: Bo\n"}
        for number, text in enumerate(texts, 1):
            head = f"id: M-{number:03d}\ntitle: T\nlevel: L1\nsessions: {source}"
            self.files[f"ring3/M-{number:03d}.md"] = f"---\n{head}\n---\n\n{text}\n".encode()

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


def known(*texts: str, source: str = f"[{SESSION}]") -> Knowledge:
    return Knowledge(Snapshot(Shelf(*texts, source=source), "kit"))


def test_a_memory_bears_only_what_was_made_after_it() -> None:
    whole = known("The heron stood there.", "The ferry was late.", "Laura sang.")
    second = whole.of_before("M-002")
    assert second.knows("heron")
    assert not second.knows("ferry")
    assert not second.has_name("Laura")
    assert whole.knows("ferry")
    assert whole.has_name("Laura")
    # asked again, once the others were read
    assert not second.bears_quote("the ferry was late")
    assert whole.of_before("M-003").bears_quote("the ferry was late")


def test_of_the_older_memories_only_those_of_no_session_bear_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(knowledge, "MOST_READ", 1)
    texts = ("The heron stood there.", "The ferry was late.")
    assert not known(*texts).knows("heron")
    assert known(*texts).knows("ferry")
    assert known(*texts, source="[]").knows("heron")


def test_the_neighbours_of_a_line_go_on_in_the_next_file() -> None:
    shelf = Shelf("The ferry was late.")
    shelf.files["facts.yaml"] = b"Seven geese came."
    shelf.files["ring0/identity.md"] = b"Ada is calm."
    seen: list[tuple[str, str]] = []

    def note(line: str, around: str) -> bool:
        seen.append((line, around))
        return False

    assert not Knowledge(Snapshot(shelf, "kit")).has_around(number_written("seven"), note)
    # the names of the two stand before the facts
    assert seen == [("seven geese came.", "bo\nseven geese came.\nada is calm.")]


def test_a_number_is_found_as_a_word_and_in_digits() -> None:
    seen: list[str] = []

    def note(line: str) -> bool:
        seen.append(line)
        return False

    assert not known("He is 7.", "They turned seven.", "Gate 17.").has_line(number_written("7"), note)
    assert sorted(seen) == ["he is 7.", "they turned seven."]
