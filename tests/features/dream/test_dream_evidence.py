"""Limits of a dream's answer: a turn of its stretch must bear it, and no person may have said otherwise."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.dreaming_persona import have_evenings, have_talk, reply_to

VOW = "a studio is a promise you make with your feet"


@pytest.fixture
def dreamt(reel: Reel, kit: Path) -> Path:
    """One evening, dreamt of, with a thread that was dropped."""
    have_evenings(reel, kit, [3])
    reel.given("dream", "start", "--yes", "--window", "8k")
    prompt = reel("dream", "next", "--prompt").ok().out
    story = f'He said "{VOW}", and I have carried that since, as Jonathan did.'
    missed = (
        "new: 2026-01-03 · Ada · ask how Marta likes the bowl\n"
        "new: 2026-01-03 · Bo · the shards for the mosaic"
    )
    reel.given("dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, story, missed))
    return kit


def dream(reel: Reel, **parts: str) -> list[str]:
    """Dream of what is new; what is said of the answer with these parts."""
    reel.given("dream", "start", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    parts = {"story": "It was an evening like any other, and he went home early.", **parts}
    kept = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, **parts)).ok()
    return [problem["what"] for problem in json.loads(kept.out)["problems"]]


@pytest.mark.parametrize("closing", ["1: done, she likes it", "1: let go, too late", "2: done, he made it"])
def test_a_thread_that_no_turn_closes_stays_open(reel: Reel, dreamt: Path, closing: str) -> None:
    have_evenings(reel, dreamt, [9])
    before = (dreamt / "story/missed.md").read_text()
    [told] = dream(reel, missed=closing)
    assert "stays open: no turn of this stretch closes it" in told
    assert (dreamt / "story/missed.md").read_text() == before


@pytest.mark.parametrize(
    ("said", "closing"),
    [
        (("I am early.", "Does Marta like the bowl?"), "1: done, I asked him"),
        (("The mosaic is hung, every one of the shards used.",), "2: done, it hangs"),
        (("Forget about the mosaic, I threw the shards away.",), "2: let go, he gave it up"),
        (("Stop the plan of the mosaic.",), '2: let go, "Stop the plan of the mosaic."'),
        (("What shards are left for the mosaic? All is up, and blue.",), '2: done, "All is up, and blue"'),
    ],
)
def test_a_turn_closes_a_thread(reel: Reel, dreamt: Path, said: tuple[str, ...], closing: str) -> None:
    have_talk(reel, dreamt, "2026-01-09", *said)
    assert dream(reel, missed=closing) == []
    told = closing.partition(": ")[2].partition(",")[0]
    assert f"\n   - {told} · 2026-01-09 · " in (dreamt / "story/missed.md").read_text()


def test_a_quotation_about_something_else_closes_no_thread(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-09", "All is up, and blue.")
    assert "stays open" in dream(reel, missed='2: done, "All is up, and blue"')[0]


def test_what_overtakes_a_thread_lets_it_go_without_naming_it(reel: Reel, dreamt: Path) -> None:
    """A turn about something larger ends a thread, as the sale of the house does the mosaic."""
    over = "I sold the house, and needed no more tiles."
    have_talk(reel, dreamt, "2026-01-09", over, "That roof was never mine, to be honest with you.")
    missed = f'2: done, "{over}"\n1: let go, "That roof was never mine, to be honest with you."'
    assert [told.partition("” ")[2] for told in dream(reel, missed=missed)] == [
        "stays open: no turn of this stretch closes it"
    ] * 2
    have_talk(reel, dreamt, "2026-01-11", f"As I said: {over}", "Yes.")
    again = "We had snow, and the two of us watched it come down on the yard."
    assert dream(reel, story=again, missed=f'2: let go, "{over}"') == []
    assert "\n   - let go · 2026-01-11 · " in (dreamt / "story/missed.md").read_text()


def test_a_closing_has_the_day_of_the_words_it_quotes(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-09", "I have looked at the shards for the mosaic.", "Good.")
    have_talk(reel, dreamt, "2026-01-11", "It hangs above the door, and is blue.", "How fine.")
    assert dream(reel, missed='2: done, "It hangs above the door, and is blue."') == []
    assert "\n   - done · 2026-01-11 · " in (dreamt / "story/missed.md").read_text()


def test_what_was_found_unsaid_is_unsaid_in_later_batches_too(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [9])
    told = dream(
        reel,
        story=f"I thought of it again, that {VOW}. Jonathan was there, too.",
        remember=f"Begin each evening with this: {VOW}. Then ask of the kiln.",
        facts=f"preferences | studio | {VOW} | sure\nhistory | vow | he said “{VOW}” | sure",
    )
    advice = (dreamt / "story/how-we-remember.md").read_text()
    assert advice.rstrip("\n").endswith("Begin each evening with this: […]. Then ask of the kiln.")
    assert f"“{VOW}” was found unsaid when it was told first; it is left out" in told
    assert '"Jonathan" is a name that was not said' in " ".join(told)
    assert "vow: not kept: nobody said the words it quotes" in told
    assert VOW not in (dreamt / "story/history.md").read_text()
    assert not (dreamt / "facts.yaml").exists()
    # once it is said, it is said
    have_talk(reel, dreamt, "2026-01-11", f"You know, {VOW}.", "Yes.")
    assert dream(reel, story=f"He said that {VOW}, and we laughed about it.") == []
    assert VOW in (dreamt / "story/history.md").read_text()


def test_a_fact_is_noted_where_a_turn_bears_it(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [9])
    dream(
        reel,
        facts=(
            "craft | glaze | celadon, the thin one | sure\n"
            "commitments | Marta's bowl | promised her a bowl by Friday | sure\n"
            "craft | kiln | cracked seventeen times in Helsinki | sure\n"
            "relationships | wife | Marta | sure\n"
            "preferences | food | hates celadon and shards | sure\n"
        ),
    )
    facts = (dreamt / "facts.yaml").read_text()
    assert [line.split("key: ")[1] for line in facts.splitlines() if "key:" in line] == [
        "glaze",
        '"Marta\'s bowl"',
    ]
    waits = " ".join(path.read_text() for path in (dreamt / "review").glob("*.md"))
    assert all(word in waits for word in ("Helsinki", "wife", "hates celadon"))


def test_a_value_that_somebody_said_is_not_replaced_by_a_dream(reel: Reel, dreamt: Path) -> None:
    reel("fact", "add", "history", "glaze", "cobalt").ok()
    have_evenings(reel, dreamt, [9])
    dream(reel, facts="history | glaze | celadon, the thin one | sure")
    assert "celadon" not in (dreamt / "facts.yaml").read_text()
    [waiting] = (dreamt / "review").glob("*.md")
    assert "celadon" in waiting.read_text()
    shown = reel("review").ok()
    assert "A change of what Bo said" in shown.out + shown.err
    assert "cobalt" in reel("pack").ok().out


def test_the_personas_own_facts_wait_in_whatever_words(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-09", "Hello.", "My grandma kept bees in a garden by the river.")
    dream(reel, facts="history | my grandma | kept bees in a garden by the river | sure")
    assert not (dreamt / "facts.yaml").exists()
    assert "kept bees" in next((dreamt / "review").glob("*.md")).read_text()


@pytest.mark.needs("review")
def test_what_only_the_persona_said_of_the_user_waits(reel: Reel, dreamt: Path) -> None:
    """SRIP-11 §III.5b: a persona's own turn makes no fact of the user, whatever it says they told it."""
    told = "You told me you are allergic to walnuts and that your sister Rike lives in Oslo."
    have_talk(reel, dreamt, "2026-01-09", "Good evening.", told, "The rain is loud tonight.", "It is.")
    facts = (
        "constraints | allergy | allergic to walnuts | sure | 2026-01-09\n"
        "relationships | sister | Rike lives in Oslo | sure | 2026-01-09"
    )
    dream(reel, facts=facts)
    assert not (dreamt / "facts.yaml").exists()
    shown = " ".join(reel("review").ok().out.split())
    assert "in the chat of 9 January 2026 only Ada said so, and nobody there confirmed it" in shown
    # a later dream of the same does not ask twice
    have_talk(reel, dreamt, "2026-01-11", "Good evening.", told, "Still raining.", "It is.")
    again = "We had snow, and the two of us watched it come down on the yard."
    dream(reel, story=again, facts=facts)
    assert len([*(dreamt / "review").glob("*.md")]) == 1
    [waiting] = (dreamt / "review").glob("*.md")
    reel("review", "accept", waiting.stem, "--yes").ok()
    assert "Rike lives in Oslo" in (dreamt / "facts.yaml").read_text()


@pytest.mark.needs("review")
def test_a_change_that_only_the_persona_said_is_told_as_that(reel: Reel, dreamt: Path) -> None:
    reel("fact", "add", "identity", "birthday", "4 May").ok()
    have_talk(reel, dreamt, "2026-01-09", "Good evening.", "Your birthday is the fifth of May.", "Hm.")
    dream(reel, facts="identity | birthday | the fifth of May | sure | 2026-01-09")
    shown = " ".join(reel("review").ok().out.split())
    assert "only Ada, in the chat of 9 January 2026, says “the fifth of May”; until you decide" in shown


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        (("Does Rike still live in Oslo?", "Yes."), True),
        (("Lebt Rike noch in Oslo?", "Ja, seit zwei Jahren."), True),
        (("You said Rike lives in Oslo. Shall we go for a walk?", "Yes."), False),
        (("You said Rike lives in Oslo. Is that right?", "Right."), True),
        (("Does Rike live in Oslo?", "My sister Rike lives in Oslo."), True),
        (("Does Rike live in Oslo?", "What a rain."), False),
    ],
)
def test_what_the_user_says_yes_to_is_theirs(
    reel: Reel,
    dreamt: Path,
    said: tuple[str, ...],
    noted: bool,  # noqa: FBT001
) -> None:
    have_talk(reel, dreamt, "2026-01-09", "Good evening.", *said)
    dream(reel, facts="context | Rike | Rike lives in Oslo | sure | 2026-01-09")
    assert (dreamt / "facts.yaml").exists() is noted


@pytest.mark.parametrize("whose", ["mine and Bo's", "Bo's and mine", "ours", "both of us"])
def test_a_thread_of_both_is_theirs(reel: Reel, dreamt: Path, whose: str) -> None:
    have_evenings(reel, dreamt, [9])
    dream(reel, missed=f"new: 2026-01-09 · {whose} · the blue bucket")
    assert "3. open · 2026-01-09 · both · the blue bucket\n" in (dreamt / "story/missed.md").read_text()


@pytest.mark.parametrize(
    ("story", "told"),
    [
        (
            'On 9 January he told me: "The kiln cracked on evening 3."',
            "“The kiln cracked on evening 3.” was said on 3 January 2026, and not on 9 January 2026",
        ),
        (
            'He said "Celadon came early." I answered, "Then keep the bucket", and we laughed.',
            "“Then keep the bucket” was said on 3 January 2026, and answers nothing of another day",
        ),
        ('On 9 January he told me: "Celadon came early."', ""),
        ('On 9 January I thought of the kiln. "The kiln cracked on evening 3."', ""),
    ],
)
def test_scenes_of_two_evenings_are_told(reel: Reel, dreamt: Path, story: str, told: str) -> None:
    have_talk(reel, dreamt, "2026-01-09", "Celadon came early.", "Good.")
    assert dream(reel, story=story) == ([told] if told else [])


def test_what_an_earlier_batch_wrote_otherwise_is_told(reel: Reel, dreamt: Path) -> None:
    have_evenings(reel, dreamt, [9])
    assert dream(reel, story=STANDS) == []
    have_evenings(reel, dreamt, [10])
    found = dream(reel, story=DENIED)
    assert any("written before, do not agree" in told for told in found), found
    # both stand there now, and were asked about: a chapter that repeats one of them asks nothing new
    for day, again in enumerate((STANDS, DENIED), start=11):
        have_evenings(reel, dreamt, [day])
        assert not any("do not agree" in told for told in dream(reel, story=f"Once more. {again}"))


STANDS = "He swept the shards into the bucket and Marta was there with us."
DENIED = "Marta was not there with us when he swept the shards into the bucket."


def test_time_that_is_reckoned_from_the_evenings_is_no_number_that_was_not_said(
    reel: Reel, kit: Path
) -> None:
    for day in ("2026-01-03", "2026-01-22"):
        have_talk(reel, kit, day, f"The kiln stood cold twelve days, {day[-1]} I write.", "Then let it be.")
    reel.given("dream", "start", "--yes", "--window", "8k")
    prompt = reel("dream", "next", "--prompt").ok().out
    story = (
        "He was cold on the third. Nineteen days later the kiln was too. The kiln stood cold seventeen days."
    )
    looked = reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply_to(prompt, story)).ok()
    assert [one["what"].partition(" is")[0] for one in json.loads(looked.out)["problems"]] == ['"seventeen"']


def test_threads_and_facts_have_the_day_of_the_turn_that_bears_them(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-09", "The mosaic is hung, every one of the shards used.", "At last.")
    have_talk(reel, dreamt, "2026-01-12", "The gallery wants the grey lamp by spring.", "Then I will ask.")
    have_talk(reel, dreamt, "2026-01-20", "It rained all day.", "Stay in, then.")
    lamp, walk = "new: Bo · the grey lamp for the gallery", "new: both · a walk to the lighthouse"
    missed = f"2: done, it hangs\n{lamp}\n{walk}"
    lamp = "work | gallery | wants the grey lamp by spring | sure | 2026-01-20"
    facts = f"{lamp}\nhome | mosaic | is hung | sure"
    dream(reel, missed=missed, facts=facts)
    text = (dreamt / "story/missed.md").read_text()
    assert "   - done · 2026-01-09 · it hangs\n" in text
    assert "3. open · 2026-01-12 · Bo · the grey lamp for the gallery\n" in text
    assert "4. open · unclear · both · a walk to the lighthouse\n" in text
    kept = (dreamt / "facts.yaml").read_text()
    assert "2026-01-12" in kept
    assert "2026-01-09" in kept
    assert "2026-01-20" not in kept


def test_a_closing_of_a_thread_that_ends_in_a_stop_is_shown_with_one(reel: Reel, dreamt: Path) -> None:
    have_talk(reel, dreamt, "2026-01-09", "The gallery wants the grey lamp.", "Then send it.")
    dream(reel, missed="new: 2026-01-09 · Bo · the grey lamp is wanted by the gallery.")
    have_talk(reel, dreamt, "2026-01-12", "I sent the grey lamp to the gallery.", "Good.")
    reel.given("dream", "start", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    reply = reply_to(prompt, "It was an evening like any other.", "3: done, he sent it")
    shown = reel("dream", "next", "--reply", "-", "--dry-run", stdin=reply).ok()
    assert "the grey lamp is wanted by the gallery. he sent it" in shown.out + shown.err
