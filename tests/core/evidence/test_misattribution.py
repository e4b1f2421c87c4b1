"""Quotations of a memory that only the other of the two said: shown, and nothing else is."""

from collections.abc import Sequence

import pytest

from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Message

EVENING = "2026-05-07-1"
EARLIER = "2026-04-02-1"
TALKS = {
    EARLIER: (
        ("user", "The kettle sings before the milk boils."),
        ("assistant", "I never trusted that kettle of yours."),
    ),
    EVENING: (
        ("user", "The mooring broke and I was so proud of the boy. Will you wait for me at the pier?"),
        ("assistant", "Then she rode it home with you. The keeper owes me a lantern."),
        ("user", "She did, and the storm had passed by then. I owe you one, truly."),
        ("assistant", "You owe me two lanterns. The glass one was far too heavy for me."),
    ),
}


class Shelf:
    """A kit of two evenings, and a memory of the second."""

    def __init__(self, text: str, marker: str = "We spoke.", *, unresolved: str = "Nothing.") -> None:
        self.memory = (
            f"---\nid: M-001\ntitle: The mooring\nlevel: L1\nsessions: [{EVENING}]\nsource: [{EVENING}#1-4]\n"
            f"marker: {marker!r}\n---\n\n## What happened\n\n{text}\n\n"
            f"## What's unresolved\n\n{unresolved}\n"
        )
        self.files = {"kit.yaml": b"name: Ines\nuser: Tomas Bergh\n", "ring3/M-001.md": self.memory.encode()}
        for session, said in TALKS.items():
            messages = [Message(role, words) for role, words in said]
            talk = Conversation("t", messages, started=f"{session[:10]}T19:00:00+00:00")
            self.files[f"tape/{session[:4]}/{session}.md"] = render_session(session, talk)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if path.startswith(folder)]


def shown(shelf: Shelf) -> list[tuple[str, str, int]]:
    memory = parse_memory(shelf.memory, "ring3/M-001.md")
    found = TapeEvidence(Snapshot(shelf, "kit")).judge(memory, shelf.memory)
    sure = [one.detail for one in found if one.verdict is Verdict.NOT_BORNE]
    return [(one.kind.value, one.claim, one.nearest.number if one.nearest else 0) for one in sure]


@pytest.mark.parametrize(
    ("text", "claim", "number"),
    [
        ('"Then she rode it home with you," said Tomas.', "Then she rode it home with you,", 2),
        ("“Then she rode it home with you”, Tomas said softly.", "Then she rode it home with you", 2),
        ("Tomas said: «Then she rode it home with you.»", "Then she rode it home with you.", 2),
        (
            "Tomas told me ‘the keeper owes me a lantern’.",
            "the keeper owes me a lantern",
            2,
        ),
        ("And Tomas whispered *she rode it home with you*.", "she rode it home with you", 2),
        ("Tomas said:\n\n> Then she rode it home with you.", "Then she rode it home with you.", 2),
        ("So it was.\n\n> Then she rode it home with you.\n> — Tomas", "Then she rode it home with you.", 2),
        ('Tomas: "Then she rode it home with you."', "Then she rode it home with you.", 2),
        ('I said "the storm had passed by then".', "the storm had passed by then", 3),
        # of two words
        ('I told him "so proud", and meant it.', "so proud", 1),
        # of another evening, where it is long
        (
            'I said: "The kettle sings before the milk boils."',
            "The kettle sings before the milk boils.",
            1,
        ),
        # stitched from what both said
        (
            'Tomas said "The mooring broke … the keeper owes me a lantern".',
            "The mooring broke … the keeper owes me a lantern",
            2,
        ),
    ],
)
def test_words_of_the_other_one_are_shown(text: str, claim: str, number: int) -> None:
    assert shown(Shelf(text)) == [("speaker", claim, number)]


def test_sentences_stitched_of_both_are_shown_once() -> None:
    text = 'Tomas said: "The storm had passed by then. The keeper owes me a lantern."'
    assert len(shown(Shelf(text))) == 1


def test_the_short_form_of_a_memory_is_looked_at_too() -> None:
    found = shown(Shelf("We spoke.", 'Tomas said "then she rode it home with you".'))
    assert [claim for _, claim, _ in found] == ["then she rode it home with you"]


@pytest.mark.parametrize(
    "text",
    [
        # said so
        'I said "Then she rode it home with you."',
        '"I owe you one, truly," said Tomas.',
        # nobody is named, or nobody plainly
        'And then: "Then she rode it home with you."',
        'He said "Then she rode it home with you."',
        'Tomas laughed, and then "she rode it home with you" stood between us.',
        'Tomas and I said "Then she rode it home with you."',
        # the words are what somebody answers, asks about, repeats or could say
        'I answered "Will you wait for me at the pier?" with a nod.',
        '"Will you wait for me at the pier?" I said yes.',
        '"Will you wait for me at the pier?" I answered at once.',
        'Tomas asked about "the keeper owes me".',
        'Tomas repeated my "then she rode it home with you".',
        'Tomas never said "Then she rode it home with you."',
        'I wish Tomas said "Then she rode it home with you."',
        'Tomas could have said "Then she rode it home with you."',
        "Tomas said it was *far too heavy* for him.",
        # the named one said it nearly so
        'Tomas said "owe you".',
        'Tomas said "owe me".',
        # by chance of another evening, or of words that tell nothing
        'Tomas said "of yours".',
        'Tomas said "never trusted".',
        'I said "by then".',
        # what nobody said is no matter of who said it
        "Tomas whispered *hold me in the rain*.",
        # one after another
        'I said "Then she rode it home with you." "I owe you one, truly," said Tomas.',
        '"I owe you one," said Tomas, "truly." I said "You owe me two lanterns."',
    ],
)
def test_nothing_else_is_shown(text: str) -> None:
    assert [one for one in shown(Shelf(text)) if one[0] == "speaker"] == []


def test_an_open_question_claims_nothing() -> None:
    open_ones = '- Tomas said "then she rode it home with you"?'
    assert shown(Shelf("We spoke.", unresolved=open_ones)) == []
