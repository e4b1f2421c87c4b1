"""A group chat: each persona's kit counts as its own only what was said under its own name."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.companion_asks import gather_along
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import first_entries, render_session
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tape.voices import as_heard, other_users, other_voices, own_entries
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Checkpoint, Verdict
from reel_cli.core.values.source import SourceRange
from reel_cli.core.values.talk import ANOTHER, NARRATION, Conversation, Kind, Message

NAME = "2026-02-20-1"
TALK = (
    Message("user", "Who lit the lamp, and what do you drink?", name="Tomas"),
    Message("assistant", "Vera did. I drink smoky tea, and I was born in Brest.", name="Vera"),
    Message("assistant", "I did not. I drink black coffee, and I was born in Leith.", name="Ada"),
    Message("system", "The wind turns north.", Kind.SYSTEM, name="System", mark=NARRATION),
    Message("user", "Vera, and the boat?", name="Tomas"),
    Message("assistant", "Sold in March, for a song.", name="Vera"),
)


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    (tmp_path / "kit.yaml").write_text("name: Ada\nuser: Tomas\n", "utf-8")
    path = tmp_path / f"tape/2026/{NAME}.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(render_session(NAME, Conversation("sillytavern", TALK)))
    return Snapshot(WorkTree(tmp_path), "ada")


def answers(*names: str | None) -> list[Message]:
    return [Message("assistant", f"{at}", name=name) for at, name in enumerate(names)]


@pytest.mark.parametrize(
    ("spoke", "called", "others"),
    [
        (["Ada", "Vera"], ["Ada"], {"Vera"}),
        (["ada ", "Vera"], ["Ada"], {"Vera"}),
        (["Ada Bright", "Vera"], ["Ada"], {"Vera"}),
        (["Ada", "Ada Bright"], ["Ada"], {"Ada Bright"}),
        (["Seraphina", "Vera"], ["Sera", "Seraphina"], {"Vera"}),
        (["Ada", None, "Vera"], ["Ada"], {"Vera"}),
        (["Ada", "Assistant", "gpt-4o"], ["Ada"], set()),
        (["Vera", "Cato"], ["Ada"], set()),
        (["Vera"], ["Ada"], set()),
    ],
)
def test_others_are_those_who_answer_beside_the_persona(
    spoke: list[str | None], called: list[str], others: set[str]
) -> None:
    entries = first_entries(Conversation("sillytavern", tuple(answers(*spoke))))
    assert other_voices(entries, called) == others
    assert [e.message.name for e in own_entries(entries, called)] == [n for n in spoke if n not in others]


def test_an_answer_recorded_as_anothers_is_its_own_once_it_has_that_name() -> None:
    told = [replace(one, mark=ANOTHER) for one in answers("Bea", "Bea")]
    entries = first_entries(Conversation("sillytavern", (*told, *answers(None))))
    assert other_voices(entries, ["Ada"]) == {"Bea"}
    assert other_voices(entries, ["Bea"]) == set()
    alone = first_entries(Conversation("sillytavern", tuple(told)))
    assert other_voices(alone, ["Ada"]) == {"Bea"}
    assert other_voices(alone, ["bea"]) == set()


@pytest.mark.parametrize(
    ("spoke", "others"),
    [
        (["Tomas", "Marit"], {"Marit"}),
        (["Tomas", None, "Marit"], {"Marit"}),
        (["Tomas Berg", "tomas"], set()),
        (["You", "Marit"], {"Marit"}),
        (["Tommy"], set()),
        (["Tommy", "Marit"], {"Tommy", "Marit"}),
    ],
)
def test_other_users_are_those_who_talk_beside_the_kits_own(
    spoke: list[str | None], others: set[str]
) -> None:
    told = tuple(Message("user", f"{at}", name=name) for at, name in enumerate(spoke))
    assert other_users(first_entries(Conversation("telegram", told)), "Tomas") == others


def test_what_another_said_is_told_to_the_persona() -> None:
    assert as_heard(TALK[1], {"Vera"}) == ("user", f"Vera: {TALK[1].text}")
    assert as_heard(TALK[2], {"Vera"}) == ("assistant", TALK[2].text)
    assert as_heard(TALK[0], {"Vera"}) == ("user", TALK[0].text)


def test_a_model_that_writes_the_page_is_given_no_others_words_as_its_own(snapshot: Snapshot) -> None:
    counter = get_tokenizer("o200k_base")
    given = gather_along(snapshot, NAME, room=4_000, counter=counter, pack=lambda _: "")
    assert [text for role, text in given.messages if role == "assistant"] == [TALK[2].text]
    assert [text for _, text in given.messages][3:5] == ["Narration: The wind turns north.", TALK[4].text]


def test_training_teaches_only_its_own_words(snapshot: Snapshot) -> None:
    turns_of = pytest.importorskip("reel_cli.features.training.survey").turns_of
    turns = turns_of(read_session(snapshot, NAME), ["Ada"])
    assert [role for role, _ in turns] == ["user", "assistant", "user"]
    assert turns[1][1] == TALK[2].text
    assert turns[0][1].endswith(f"Vera: {TALK[1].text}")


def test_a_fact_of_its_own_life_is_not_taken_from_another(snapshot: Snapshot) -> None:
    evidence = pytest.importorskip("reel_cli.features.facts.evidence.talk_evidence")
    heard = evidence.TalkEvidence(read_session(snapshot, NAME), "Tomas", ["Ada"])
    assert heard.bears("Leith", "I was born in Leith")[1]
    assert not heard.bears("Brest", "I was born in Brest")[1]


def test_an_example_of_how_it_sounds_ends_with_its_own_answer(snapshot: Snapshot) -> None:
    promote = pytest.importorskip("reel_cli.features.recall.promote_walk")
    whole = SourceRange(NAME, 1, 5)
    for said in (1, 2, 3):
        assert promote.exchange_around(snapshot, whole, said) == SourceRange(NAME, 1, 3)
    with pytest.raises(ReelError, match="no example of how the persona answers"):
        promote.exchange_around(snapshot, whole, 5)


def test_a_page_proposes_no_others_line_as_an_example(snapshot: Snapshot) -> None:
    proposals = pytest.importorskip("reel_cli.features.page.proposals")
    page = Checkpoint(
        Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="", show=(TALK[5].text, TALK[0].text)
    )
    session = read_session(snapshot, NAME)
    plan = proposals.plan_proposals(snapshot, page, session, "page", datetime(2026, 2, 21, tzinfo=UTC))
    assert [problem.what for problem in plan.problems] == [f'"{TALK[5].text}" is another\'s line']
    [text] = plan.writes.values()
    assert "born in Leith" in text.decode()


def test_an_exchange_that_only_another_answers_is_no_example(snapshot: Snapshot) -> None:
    proposals = pytest.importorskip("reel_cli.features.page.proposals")
    page = Checkpoint(
        Verdict.YES, "", "", Verdict.NO, "", paper=False, paper_text="", show=("Vera, and the boat?",),
        flags=("Vera, and the boat?",),
    )  # fmt: skip
    session = read_session(snapshot, NAME)
    plan = proposals.plan_proposals(snapshot, page, session, "page", datetime(2026, 2, 21, tzinfo=UTC))
    assert [one.what for one in plan.problems] == ['"Vera, and the boat?" was not answered by Ada']
    assert not plan.writes
