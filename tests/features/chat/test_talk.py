"""Part of a chat that is sent for the next reply: within the window, in whole turns, with the newest."""

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import Kind, Message
from reel_cli.features.chat.chat_recall import find_questions
from reel_cli.features.chat.talk import Talk


class Words:
    """Counts words, which is quick and exact enough here."""

    name = "words"
    additive = True

    def count(self, text: str) -> int:
        return len(text.split())


def talk(turns: list[int], window: int) -> Talk:
    made = Talk(Settings("Ada"), Words(), window)
    made.system = "word " * 50
    for at, size in enumerate(turns):
        made.turns.append(Message("assistant" if at % 2 else "user", f"{at} " * size))
        if at % 2:
            made.turns.append(Message("assistant", "hm", Kind.REASONING))
    return made


@given(
    st.lists(st.integers(1, 120), min_size=1, max_size=12),
    st.integers(500, 1500),
    st.integers(0, 200),
)
def test_what_is_sent_fits_and_is_the_newest_in_whole(sizes: list[int], window: int, mind: int) -> None:
    sizes = sizes if len(sizes) % 2 else sizes[:-1]
    made = talk(sizes, window)
    sent = made.send("mind " * mind)
    roles, texts = zip(*sent.messages, strict=True)
    assert sent.tokens + 256 <= window
    assert sent.tokens == sum(Words().count(text) + 8 for text in texts)
    assert roles[0] == "system"
    assert roles[1] == "user"
    assert texts[-1].endswith(made.said()[-1].text)
    kept = [turn.text for turn in made.said()][sent.left_out :]
    assert list(texts[1:-1]) == kept[:-1]
    assert (texts[-1] == kept[-1]) is not bool(mind and sent.minded)


def test_what_comes_to_mind_gives_way_first_and_is_gone_after() -> None:
    made = talk([100, 100, 40], 700)
    sent = made.send("mind " * 60)
    assert sent.minded
    assert sent.messages[-1][1].startswith("mind mind")
    assert "mind" not in str(made.send().messages)
    assert not made.send("mind " * 400).minded
    assert made.send(after=[("assistant", "Recall: x"), ("user", "[x]")]).messages[-1] == ("user", "[x]")
    assert not made.fits("word " * 400)


def test_a_reply_is_taken_back_with_its_thinking() -> None:
    made = talk([1, 1], 700)
    assert [turn.text for turn in made.take_back_reply()] == ["1 ", "hm"]
    assert [turn.role for turn in made.said()] == ["user"]


def test_only_questions_look_for_something() -> None:
    assert find_questions("It rained. Do you recall\nthe kiln? Or the glaze?!") == "the kiln? Or the glaze"
    assert find_questions("It rained.") == ""
    assert find_questions("覚えていますか？") == "覚えていますか"
