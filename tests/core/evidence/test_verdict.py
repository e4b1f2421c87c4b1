"""Verdicts on what a page claims: what is known anywhere is borne, what speaks against it is shown."""

from collections.abc import Sequence
from datetime import date

import pytest

from reel_cli.core.evidence.grounding.check import Stretch, told
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.verdict import Judgement, Verdict
from reel_cli.core.kit.snapshot import Snapshot

DAY = date(2026, 5, 7)
"""A Thursday."""
SAID = (
    ("Bo", "I went to the lighthouse with Laura last week. We roasted chestnuts and saw a seal."),
    ("Ada", "Been busy repairing the harbour radio. I made a wooden shelf for my aunt's kitchen."),
    ("Bo", "My grandma gave me a cello for my 12th birthday ten years ago. I practise three times a week."),
    ("Ada", "I failed the pilot exam yesterday, but I'm up for the challenge."),
    ("Bo", "The 2 younger boys love the garden. Have you ever tried pottery?"),
    ("Ada", "Nah, I haven't. The concert in the old library was wonderful."),
)
EARLIER = (
    "Coco is my puppy.\n\nThe class of 3 March had forty pages.\n\nBo's twins came along.\n\nThey're seven.\n"
)
PAGE = "Bo saw a seal at the lighthouse. He roasted chestnuts with Laura. He has a cello. He practises it. "


class Shelf:
    """A kit of two files."""

    def read(self, path: str) -> bytes | None:
        files = {
            "kit.yaml": b"name: Ada\nuser: Bo\n",
            "ring3/M-001.md": f"---\nid: M-001\ntitle: T\nlevel: L1\n---\n\n{EARLIER}".encode(),
        }
        return files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return ["ring3/M-001.md"] if folder in ("ring3", "ring3/") else []


def judge(text: str, turns: Sequence[tuple[str, str]] = SAID) -> list[Judgement]:
    after = [*(words for _, words in turns[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, words, DAY), answer)
        for number, ((who, words), answer) in enumerate(zip(turns, after, strict=True), 1)
    ]
    source = Source(said, "Ada Bo", "Ada Bo", (), "Ada")
    known = Knowledge(Snapshot(Shelf(), "kit"))
    return Judge(source, known, "Ada", "Bo").judge([Stretch(text, ((0, 1),), told=True)])


def doubts(text: str) -> list[tuple[str, str]]:
    found = [one for one in judge(text) if one.verdict is Verdict.NOT_BORNE]
    return [(one.detail.kind.value, one.detail.claim) for one in found]


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        "Bo's puppy is Coco. The class had forty pages on the third of March.",
        "Bo practises 3x a week.",
        "I told him I haven't tried pottery.",
        "He was at the lighthouse in the week before 7 May, on 1 May.",
        "I've never failed an exam before.",
        "Bo did three things: chestnuts, a seal, the lighthouse.",
        "He loves the radio I repaired, and he's full of beans.",
        'He said "I went to the lighthouse…".',
    ],
)
def test_nothing_is_shown_of_what_may_be_so(text: str) -> None:
    assert doubts(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "claim"),
    [
        ("His grandma gave him a trombone for his 12th birthday.", "word", "trombone"),
        ("Bo practises four times a week.", "number", "four"),
        ("His grandma gave him a cello for his birthday twelve years ago.", "number", "twelve years ago"),
        ("The 3 younger boys love the garden.", "number", "3"),
        ("I passed the pilot exam yesterday.", "negation", "I passed the pilot exam yesterday."),
        ("Bo did not roast chestnuts.", "negation", "Bo did not roast chestnuts."),
        ("I went to the lighthouse with Laura.", "speaker", "I went to the lighthouse with Laura."),
        ("Bo was busy repairing the harbour radio.", "speaker", "Bo was busy repairing the harbour radio."),
        (
            "Bo's aunt has a wooden shelf in her kitchen.",
            "speaker",
            "Bo's aunt has a wooden shelf in her kitchen.",
        ),
        (
            'He said "I went to the lighthouse and saw a seal".',
            "quote",
            "I went to the lighthouse and saw a seal",
        ),
    ],
)
def test_what_was_said_otherwise_is_shown_with_the_passage(text: str, kind: str, claim: str) -> None:
    assert (kind, claim) in [(one, said.rstrip(" ")) for one, said in doubts(text)]
    [one] = [one for one in judge(text) if (one.detail.kind.value, one.detail.claim) == (kind, claim)]
    assert one.detail.nearest is not None
    assert "the nearest is" in told(one.detail)


@pytest.mark.parametrize(("number", "doubted"), [("sixty-nine", False), ("eighty", True)])
def test_a_day_beside_a_number_is_not_what_it_counts(number: str, doubted: bool) -> None:  # noqa: FBT001
    turns = [("Bo", "Dad isn't seventy on Saturday. He's sixty-nine. My mother told me, laughing.")]
    found = judge(f"Bo's father turns {number} on Saturday, not seventy.", turns)
    assert any(one.verdict is Verdict.NOT_BORNE for one in found) == doubted


@pytest.mark.parametrize(
    ("turns", "text", "doubted"),
    [
        (("Four of them. Then I lost a page.", "Four is four."), "Bo wrote four pages.", False),
        (("Three of them. Then I lost a page.", "Three is three."), "Bo wrote four pages.", True),
        (("I wrote three pages for her.", "Three is three."), "Bo wrote four pages.", True),
        (("My sister was nine years old then.", "And now?"), "His twins are seven years old.", False),
        (("The twins were nine years old then.", "And now?"), "His twins are six years old.", True),
        (("I say it to patients 40 times a day.", "And the cat?"), "The cat eats twice a day.", False),
        (("The twins drew three boats.", "At seven!"), "The twins are 7.", False),
    ],
)
def test_a_number_without_a_thing_and_one_of_another_evening_are_said(
    turns: tuple[str, str],
    text: str,
    doubted: bool,  # noqa: FBT001
) -> None:
    found = judge(text, [("Bo", turns[0]), ("Ada", turns[1])])
    kinds = [one.detail.kind.value for one in found if one.verdict is Verdict.NOT_BORNE]
    assert ("number" in kinds) == doubted


@pytest.mark.parametrize(
    ("said", "doubted"),
    [
        ("He walks into the sea at neap, there is hardly any sea to drown in. The coroner does it.", False),
        ("I won't have the coroner hanged. He walks into the sea at neap, and that is the last page.", False),
        ("The coroner won't walk into the sea. He only walks along the mole at neap.", True),
        ("The coroner does not walk into the sea at neap. He only walks along the mole.", True),
    ],
)
def test_a_no_to_something_else_in_one_message_is_no_opposite(said: str, doubted: bool) -> None:  # noqa: FBT001
    found = judge("The coroner will walk into the sea at neap.", [("Bo", said), ("Ada", "At neap, aye.")])
    kinds = [one.detail.kind.value for one in found if one.verdict is Verdict.NOT_BORNE]
    assert ("negation" in kinds) == doubted


def test_a_scene_that_nothing_resembles_is_shown() -> None:
    scene = "the mayor quarrelled with two fishermen about a stolen bicycle"
    whole = f"{PAGE}I made a wooden shelf for my aunt's kitchen; {scene}."
    assert [(kind, claim) for kind, claim in doubts(whole) if "mayor" in claim]


def test_a_page_in_words_of_its_own_is_not_doubted_for_them() -> None:
    strange = "Thunder rolled past velvet curtains; copper kettles hummed upstairs; orchards smelt of plums."
    assert [kind for kind, _ in doubts(f"{strange} {strange.upper()} {PAGE}") if kind == "scene"] == []


POEMS = (
    (
        "Bo",
        "The poems are due on the ninth, nine of them. The reading is Thursday the twelfth, in the library.",
    ),
    ("Ada", "Nine by the ninth. Then the fifth symphony, to celebrate."),
)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The poems are due on 9 May. The reading is on 12 May, in the library.", []),
        ("Nine poems by the ninth, and the reading is on the twelfth.", []),
        ("The reading is Tuesday, 12 May, in the library.", []),
        ("The fifth is a symphony. It is due on the fifth.", []),
        ("The poems are due on 10 May.", ["10 May"]),
        ("The reading is on the thirteenth.", ["the thirteenth"]),
        # on another weekday than its date: which of the two is wrong, nobody can tell
        ("The reading is Friday, 12 May, in the library.", []),
    ],
)
def test_a_day_in_words_is_the_day_in_digits(text: str, claims: list[str]) -> None:
    found = [one for one in judge(text, POEMS) if one.verdict is Verdict.NOT_BORNE]
    assert [one.detail.claim for one in found] == claims
