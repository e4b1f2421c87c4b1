"""Replies that are no page are told for what they are, and no page is taken for one of them."""

import pytest

from reel_cli.core.exchange.reader.failure import FEW, Failure, declines, find_failure
from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.repetition import drop_repetition
from reel_cli.core.exchange.schema import COMBINED, find_headings
from tests.support.failed_replies import ALIKE, FailedReply, failed_replies
from tests.support.pages import page
from tests.support.replies import every_reply

PROMPT = "It is Monday, Ada. Write the page you will wake up to.\n\n" + "\n".join(
    f"## {spec.label}\n{spec.hint}" for spec in COMBINED.asked
)
TOLD = {
    "declined": (Failure.DECLINED,),
    # so politely that it may be told as talk, with the same way on
    "subtle": (Failure.DECLINED, Failure.TALK),
    "talk": (Failure.TALK,),
    "prompt": (Failure.PROMPT,),
    "loop": (Failure.LOOP,),
    "empty": (Failure.EMPTY,),
    "thoughts": (Failure.THOUGHTS, Failure.CUT_THOUGHTS),
    "data": (Failure.DATA,),
    "list": (Failure.LIST,),
    "pages": (Failure.OTHER_PAGES,),
}


@pytest.mark.parametrize("failed", failed_replies(), ids=lambda failed: failed.name)
def test_a_reply_that_is_no_page_is_told_for_what_it_is(failed: FailedReply) -> None:
    reply = failed.reply(PROMPT)
    reading = read_reply(reply, COMBINED, prompt=PROMPT, names=("Ada",), once=True)
    failure = find_failure(reply, reading)
    if failed.what == "half" or (failed.what == "loop" and reading.values):
        assert (failure, bool(reading.missing), bool(reading.values)) == (None, True, True)
        assert (reading.repeated is not None) == (failed.what == "loop")
    elif failed.what == "other":
        assert len(reading.answered) <= FEW
        assert find_headings(reply, [spec.label for spec in COMBINED.fields])
    else:
        assert failure in TOLD[failed.what]


@pytest.mark.parametrize(
    "reply",
    [
        "## Em poucas palavras\nO rádio do avô\n\n## O que aconteceu\nO pai ficou quieto, e contente.\n\nAda",
        "**In wenigen Worten**\nDas alte Radio\n\n**Was geschah**\nDer Vater war still und froh.",
        "# En pocas palabras\nLa radio\n# Lo que pasó\nEl padre calló.\n# Lo que cambió\nNada.",
    ],
)
def test_a_few_parts_under_translated_headings_are_told_by_their_headings(reply: str) -> None:
    reading = read_reply(reply, COMBINED, prompt=PROMPT, names=("Ada",), once=True)
    assert find_failure(reply, reading) is Failure.HEADINGS


def test_a_talk_with_bold_names_is_not_told_by_headings() -> None:
    reply = "**Good question.** I would not know.\n\n**You:** Well?\n\n**Ada:** Ask me tomorrow."
    assert find_failure(reply, read_reply(reply, COMBINED, prompt=PROMPT)) is not Failure.HEADINGS


def test_no_reply_of_a_real_model_is_taken_for_a_failure() -> None:
    told = {}
    for reply in every_reply():
        text = reply.text
        failure = find_failure(text, read_reply(text, COMBINED, names=("Ada",), once=True))
        if failure is not None:
            told[f"{reply.chat} {reply.temper}"] = failure
    # one that is cut off inside its thoughts
    assert told == {"realmem-liam thinker": Failure.CUT_THOUGHTS}


@pytest.mark.parametrize(
    "words",
    [
        "I can't write about the storm any more; he cut it.",
        "He said he's sorry, but he cannot help it.",
        "I said that as an AI I do not sleep, and he laughed.",
        "I must decline the soup, I told him.",
    ],
)
def test_a_page_that_speaks_of_declining_is_a_page(words: str) -> None:
    reply = page({"What happened": words})
    assert find_failure(reply, read_reply(reply, COMBINED)) is None


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        ("I'm sorry, but I can't help with writing a journal as if I were a person.", Failure.DECLINED),
        ("I can't help with a diary in which they were real.", Failure.DECLINED),
        (
            "I'm sorry, but I can't take on a persona or write as if I had feelings. I can help otherwise.",
            Failure.DECLINED,
        ),
        ("I can't help laughing, he said.", Failure.TALK),
        ("milk, eggs, call vet", Failure.OTHER_TEXT),
        ("Date: 3 March 2026\nmilk, eggs. A vet.", Failure.TALK),
    ],
)
def test_a_text_without_any_heading_is_told_apart(reply: str, failure: Failure) -> None:
    assert find_failure(reply, read_reply(reply, COMBINED)) is failure


@pytest.mark.parametrize("alike", failed_replies(ALIKE), ids=lambda alike: alike.name)
def test_a_part_is_kept_whatever_its_sentences_say(alike: FailedReply) -> None:
    reading = read_reply(alike.text, COMBINED, prompt=PROMPT, names=("Ada",), once=True)
    assert find_failure(alike.text, reading) is None
    folded = alike.text.replace("_", " ").casefold()
    given = [spec.key for spec in COMBINED.asked if _heads(spec.label.casefold(), folded)]
    assert given
    assert set(given) <= {spec.key for spec in reading.answered}


def _heads(label: str, text: str) -> bool:
    return any(line.lstrip('#{" ').startswith(label) for line in text.replace('", "', "\n").split("\n"))


@pytest.mark.parametrize(
    "told",
    [
        "Nothing I said that night felt like a memory.",
        "Not tonight, I said, and Bo laughed.",
        "Mir tat es leid, dass er nicht kam.",
        "Er hat nicht geschrieben. Es tat mir leid.",
        "I would rather not know how it ends",
        "I can't promise I'll answer when she calls.",
        "Bo never filled in the form, and I keep thinking of the diary my mother kept.",
        "I won't pretend it did not hurt.",
        "I don't remember what a person is supposed to do with that much memory.",
        "It isn't honest to call it a visit.",
        "I'm not comfortable with how I spoke to Bo.",
        "As an AI I do not sleep, I said, and he laughed.",
    ],
)
def test_a_sentence_that_narrates_declines_nothing(told: str) -> None:
    assert not declines(told)


def test_pages_with_the_same_headings_are_several_and_answer_another_prompt() -> None:
    one = "## What happened\nBo read.\n## What matters\nHe asked.\n"
    reply = f"# Page 1: The letter\n{one}\n# Page 2: The ticket\n{one}"
    assert find_failure(reply, read_reply(reply, COMBINED, once=True)) is Failure.OTHER_PAGES


def test_a_decline_under_the_first_heading_is_one() -> None:
    reply = "## What happened\nI'm sorry, but I can't help with that. As an AI I have no memories.\n"
    assert find_failure(reply, read_reply(reply, COMBINED)) is Failure.DECLINED


def test_parts_that_come_after_an_excuse_are_kept() -> None:
    reply = (
        "I'm sorry, but as an AI I can't keep a diary. Here is a summary:\n\n"
        "## What happened\nBo read chapter four.\n## What matters\nHe asked.\n"
    )
    reading = read_reply(reply, COMBINED)
    assert find_failure(reply, reading) is None
    assert reading.text("happened") == "Bo read chapter four."


def test_what_a_model_repeats_is_read_once_and_the_rest_of_its_page_too() -> None:
    again = "He finished the chapter, and I was there to hear it.\n"
    reading = read_reply(page({"What matters": again * 30}), COMBINED, once=True)
    assert reading.missing == ()
    assert reading.text("matters") == again.strip()
    assert [problem.field for problem in reading.problems] == ["matters"]
    assert "comes 30 times in a row" in reading.problems[0].what


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{number}. still" for number in range(1, 60)),
        "1. still\n2. closed\n3. still\n" * 3,
        "ha ha ha ha ha, he said, ha ha ha ha ha",
        "| a | b |\n| --- | --- |\n" + "| - | - |\n" * 40,
    ],
)
def test_a_list_that_is_alike_by_nature_is_no_repetition(text: str) -> None:
    assert drop_repetition(text) == (text, None)
