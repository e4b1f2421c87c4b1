"""Checks of a dream's answer, as a person sees them: nothing is lost."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.dreaming_persona import dream_on, have_evenings, reply_to

PROMISE = "a studio is a promise you make with your feet"


@pytest.fixture
def dreaming(reel: Reel, kit: Path) -> Path:
    """An evening in January, and a dream that has begun."""
    have_evenings(reel, kit, [3])
    reel.given("dream", "start", "--yes", "--window", "8k")
    return kit


def problems(reel: Reel, reply: str) -> list[str]:
    """Return what is said of a reply."""
    kept = json.loads(reel("dream", "next", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    return [problem["what"] for problem in kept["problems"]]


def test_what_nobody_said_is_no_part_of_the_story(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    [told] = problems(reel, reply_to(prompt, f'He said "{PROMISE}", and I have carried that since.'))
    assert told == f"“{PROMISE}” was never said like that; it is left out"
    story = (dreaming / "story/history.md").read_text()
    assert "He said […], and I have carried that since." in story
    assert PROMISE not in story
    assert "was never said like that" not in reel("doctor").out


def test_the_space_around_a_sentence_that_is_left_out_stays(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = (
        f'The kiln kept us for hours. He said "{PROMISE}". We swept.\n\n'
        f'"Celadon, the thin one." And he said "{PROMISE}". Then it was late.'
    )
    assert len(problems(reel, reply_to(prompt, story))) == 2
    text = (dreaming / "story/history.md").read_text()
    assert "The kiln kept us for hours. We swept.\n\n" in text
    assert '"Celadon, the thin one." Then it was late.' in text


def test_a_correction_that_the_prompt_tells_is_a_source(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    reel("tape", "correct", "2026-01-03-1#3", "it was by Tuesday, and for Ingrid").ok()
    have_evenings(reel, dreaming, [9])
    reel.given("dream", "start", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "by Tuesday, and for Ingrid" in prompt
    assert (
        problems(reel, reply_to(prompt, "It had been for Ingrid, and by Tuesday. Now there is a crack."))
        == []
    )


def test_a_name_of_another_session_is_no_name_that_was_not_said(reel: Reel, dreaming: Path) -> None:
    dream_on(reel)
    place = dreaming.parent / "rome.json"
    said = [
        {
            "role": "user",
            "content": "The train for Rome leaves late.",
            "created_at": "2026-01-01T19:00:00+00:00",
        },
        {"role": "assistant", "content": "Then sleep on it.", "created_at": "2026-01-01T19:01:00+00:00"},
    ]
    place.write_text(json.dumps({"created_at": "2026-01-01T19:00:00+00:00", "messages": said}))
    reel("record", place).ok()
    reel.given("dream", "start", "--yes")
    dream_on(reel)
    have_evenings(reel, dreaming, [9])
    reel.given("dream", "start", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    [only] = problems(reel, reply_to(prompt, "He thought of Rome that evening, and of Helsinki's ferry."))
    assert only.startswith('"Helsinki\'s" is a name that was not said')


def test_every_paragraph_is_shown_in_full(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    plain = [f"We sat by the kiln and let it be, {'and ' * n}so." for n in range(9)]
    plain[7] = "He swept, " * 40 + "and the shards went to Helsinki in the end."
    place = dreaming.parent / "reply.md"
    place.write_text(reply_to(prompt, "\n\n".join(plain)))
    seen = reel("dream", "next", "--reply", place, tty=True, stdin="q\n").ok()
    shown = " ".join(seen.err.split())
    assert "the shards went to Helsinki in the end." in shown
    assert all(" ".join(paragraph.split()) in shown for paragraph in plain)


def test_what_amends_words_that_stand_nowhere_is_not_shown_as_amended(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    story = 'We swept.\n\nAmend "when I was seventeen": it was when I was sixteen.'
    place = dreaming.parent / "reply.md"
    place.write_text(reply_to(prompt, story))
    seen = " ".join(reel("dream", "next", "--reply", place, tty=True, stdin="q\n").ok().err.split())
    assert "“when I was seventeen” is not in the story" in seen
    assert "Amended" not in seen


def test_how_sure_a_fact_is_comes_back_in_the_next_prompt(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    facts = "people | Marta | gets a bowl on Friday | unsure | 2026-01-03\ncraft | glaze | celadon | sure"
    looked = reel("dream", "next", "--reply", "-", "--dry-run", stdin=reply_to(prompt, facts=facts)).ok()
    assert "people, Marta: gets a bowl on Friday (unsure)" in looked.err
    problems(reel, reply_to(prompt, facts=facts))
    have_evenings(reel, dreaming, [9])
    reel.given("dream", "start", "--yes")
    prompt = reel("dream", "next", "--prompt").ok().out
    assert "people | Marta | gets a bowl on Friday | unsure | 2026-01-03\n" in prompt
    assert "craft | glaze | celadon | sure | 2026-01-03\n" in prompt


LAST = "I promised Marta a bowl of it by Friday"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        # in every kind of marks, from two words on
        ("Er sagte „{0}“, und ich fegte.", "Er sagte […], und ich fegte."),
        ("Il a dit « {0} », et je balayais.", "Il a dit […], et je balayais."),
        ("He said 「{0}」 and I swept.", "He said […] and I swept."),
        ("He said ‘{0}’ and I swept.", "He said […] and I swept."),
        ("He said '{0}' and I swept.", "He said […] and I swept."),
        ("He wrote *{0}* and I swept.", "He wrote […] and I swept."),
        ("He wrote **{0}** and I swept.", "He wrote […] and I swept."),
        ("He wrote `{0}` and I swept.", "He wrote […] and I swept."),
        ("He said ＂{0}＂ and I swept.", "He said […] and I swept."),
        (
            "It went on.\n\nBo: {0}\n\nI: Then keep the bucket.",
            "It went on.\n\nI: Then keep the bucket.",
        ),
        ("He wrote it on the wall:\n\n> {0}\n\nI swept.", "He wrote it on the wall:\n\nI swept."),
        ('He said "marry me" and I swept.', "He said […] and I swept."),
        ('"{0}," he said, and I swept.', "[…] he said, and I swept."),
        # what else its sentence tells stays
        ('Then he said "{0}" and that was all there was.', "Then he said […] and that was all there was."),
        # with the one who said it
        ('I told him "Celadon, the thin one", and swept.', "I told him […], and swept."),
        ('"Celadon, the thin one", I said, sweeping.', "[…], I said, sweeping."),
        ('Bo said "I will ask you about it", and swept.', "Bo said […], and swept."),
        # joined of two messages
        (
            f'He swept: "The kiln cracked on evening 3 … {LAST}".',
            f'He swept: "The kiln cracked on evening 3" … "{LAST}".',
        ),
        (
            f'He swept: "{LAST}. The kiln cracked on evening 3".',
            f'He swept: "{LAST}." … "The kiln cracked on evening 3".',
        ),
        (
            'Bo said "I swept the shards into a blue bucket … Then keep the bucket", and so it was.',
            'Bo said "I swept the shards into a blue bucket" […], and so it was.',
        ),
    ],
)
def test_only_quotations_that_were_said_so_are_woven(
    reel: Reel, dreaming: Path, told: str, kept: str
) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    assert len(problems(reel, reply_to(prompt, told.format(PROMISE)))) == 1
    story = (dreaming / "story/history.md").read_text()
    assert story.rstrip("\n").endswith(f"-->\n\n{kept}")


@pytest.mark.parametrize(
    "told",
    [
        "He said „Celadon, the thin one“, and « by Friday ».",
        "*Then* he said 'Celadon, the thin one', the potters' favorite, and it was *the* bowl of bowls.",
        'He had the "thin one" in mind, a ‘kind of promise’, and I should have asked ‘which Friday?’.',
        "“Celadon, the thin one.” I told him to keep the bucket, and he swept.",
        "“Then keep the bucket,” I said. He said: “Celadon … I promised Marta a bowl of it by Friday.”",
        "> The kiln cracked on evening 3 and I swept the shards into a blue bucket.\n\nSo it began.",
        '> "Celadon, the thin one."\n> — Bo\n\nSo it began.',
        "Bo: Celadon, the thin one.\nI: Then keep the bucket\n\nIt was **the very bowl** for `Marta`.",
    ],
)
def test_what_was_said_stays_as_it_is(reel: Reel, dreaming: Path, told: str) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    assert problems(reel, reply_to(prompt, told)) == []
    assert (dreaming / "story/history.md").read_text().rstrip("\n").endswith(f"-->\n\n{told}")


@pytest.mark.parametrize(
    ("told", "doubt"),
    [
        ('He said "I will ask you about it", and swept.', "“I will ask you about it” was said by Ada"),
        ('"I will ask you about it", he said, and swept.', "“I will ask you about it” was said by Ada"),
        # he is Bo, or anybody where it is a word or two
        ('He said "I promised Marta a bowl", and swept.', ""),
        ('He said "keep the bucket", and swept.', ""),
        ('It was "I will ask you about it" that he liked.', ""),
    ],
)
def test_what_the_persona_said_is_told_of_where_he_is_to_have_said_it(
    reel: Reel, dreaming: Path, told: str, doubt: str
) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    assert problems(reel, reply_to(prompt, told)) == ([doubt] if doubt else [])
    assert (dreaming / "story/history.md").read_text().rstrip("\n").endswith(f"-->\n\n{told}")


def test_words_that_were_only_thought_of_are_no_quotation(reel: Reel, dreaming: Path) -> None:
    prompt = reel("dream", "next", "--prompt").ok().out
    assert problems(reel, reply_to(prompt, 'I never told him "that is enough for tonight", and swept.')) == []
    assert (
        "I never told him ‘that is enough for tonight’, and swept."
        in (dreaming / "story/history.md").read_text()
    )


def test_a_scene_that_nothing_resembles_is_left_to_a_second_look(reel: Reel, dreaming: Path) -> None:
    """A story may reflect; only who is named in it and never spoken of is doubted by itself (REEL §10.5)."""
    lived = (
        "The kiln cracked, and he swept the shards into a blue bucket. The glaze was celadon, the thin one"
        " for the bowl. He promised Marta a bowl of it by Friday. I told him to keep the bucket of shards."
        " A bowl for Marta, from a kiln with a crack. He swept the celadon shards."
    )
    invented = "We walked through the snow to the harbour and lit a fire on the sand."
    prompt = reel("dream", "next", "--prompt").ok().out
    told = f"{lived} {invented} Torvald came too."
    assert problems(reel, reply_to(prompt, told)) == ['"Torvald" is a name that was not said']
