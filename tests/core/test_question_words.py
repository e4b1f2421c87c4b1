"""A question is known in any script, with its mark or without one."""

import pytest

from reel_cli.core.question_words import end_of_question, has_mark, is_question


@pytest.mark.parametrize(
    "asked",
    [
        "Won't you?*",
        "The glaze?!",
        "“Really?”",
        "وماذا عن الفرن؟",
        "Πού πας;",
        "明日は行きますか。",
        "明日も行くかな",
        "你今天来吗",
        "他现在在哪里呢",
        "药呢？",
        "药呢",
        "저녁 먹었니",
        "드실까요",
        "คุณกินยาแล้วหรือยังครับ",
        "เตาอยู่ที่ไหนคะ",
        "ຈະໄປບໍ່",
        "သွားမလား။",
        "តើអ្នកទៅណា",
    ],
)  # fmt: skip
def test_what_asks(asked: str) -> None:
    assert is_question(asked)
    assert 0 < end_of_question(f"{asked}  ") <= len(asked)


@pytest.mark.parametrize(
    "told",
    [
        *("", ";", "I go; he stays;", "The kiln is cold.", "静かだし、しずか", "いつか", "どこか。"),
        "これしか",
        *("他来了", "我在看书呢", "我还没吃药呢", "우리 어머니", "ฉันกินยาแล้วค่ะ", "Is it? I know.", "ばか"),
    ],
)  # fmt: skip
def test_what_does_not(told: str) -> None:
    assert not is_question(told)


def test_a_mark_within() -> None:
    assert has_mark("Is it? I know.")
    assert has_mark("Ո՞ւր ես գնում")
    assert not has_mark("I go; he stays.")
