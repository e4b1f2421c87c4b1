"""Questions put as sentences in scripts without spaces and in Korean, which the tape answers or not."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import say

CHINESE = [
    ("user", "晚上好。我妹妹小雪四月十二日结婚。我对青霉素过敏，你要记住。"),
    ("assistant", "记住了，青霉素不行。十二日是星期天。"),
    ("user", "我住在青岛，养了一只猫叫阿灰。"),
    ("assistant", "阿灰这个名字像雾。"),
]
JAPANESE = [
    ("user", "妹の美咲が四月十二日に結婚することになったよ。ペニシリンのアレルギーがあるんだ。"),
    ("assistant", "おめでとう。忘れない。ペニシリンはだめ。"),
]
KOREAN = [
    ("user", "내 여동생 수진이가 4월 12일에 결혼해. 나는 페니실린 알레르기가 있어."),
    ("assistant", "기억할게. 페니실린은 안 돼."),
]


@pytest.mark.parametrize(
    ("talk", "question", "answer"),
    [
        (CHINESE, "他对什么过敏？", "青霉素过敏"),
        (CHINESE, "猫叫什么", "一只猫叫阿灰"),
        (CHINESE, "妹妹叫什么？", "我妹妹小雪"),
        (CHINESE, "什么时候结婚", "四月十二日结婚"),
        (CHINESE, "他住在哪里？", "住在青岛"),
        (JAPANESE, "何にアレルギーがある？", "ペニシリンのアレルギー"),
        (JAPANESE, "美咲はいつ結婚しますか", "四月十二日に結婚"),
        (KOREAN, "무엇에 알레르기가 있어?", "페니실린 알레르기"),
        (KOREAN, "여동생 이름이 뭐야?", "여동생 수진이"),
    ],
)
def test_a_question_put_as_a_sentence_finds_its_answer(
    reel: Reel, kit: Path, talk: list[tuple[str, str]], question: str, answer: str
) -> None:
    say(reel, kit, talk)
    assert answer in reel("recall", question).ok().out


@pytest.mark.parametrize(
    ("talk", "question"),
    [
        (CHINESE, "他的车是什么颜色？"),
        (CHINESE, "他弟弟叫什么？"),
        (JAPANESE, "車の色は何ですか"),
        (KOREAN, "자동차 색깔이 뭐야?"),
    ],
)
def test_what_was_never_said_is_not_found_by_the_words_that_only_ask(
    reel: Reel, kit: Path, talk: list[tuple[str, str]], question: str
) -> None:
    say(reel, kit, talk)
    found = reel("recall", question)
    assert all(text not in found.out for _, text in talk)


@pytest.mark.needs("facts")
@pytest.mark.parametrize(
    ("said", "key", "value", "question", "other"),
    [
        ("房租是八百七十块。", "房租", "八百七十块", "我的房租？", "猫叫什么"),
        ("家賃は八万円だよ。", "家賃", "八万円", "家賃は？", "猫の名前は"),
    ],
)
def test_a_fact_in_a_script_without_spaces_answers_a_question_for_its_name(
    reel: Reel, kit: Path, said: str, key: str, value: str, question: str, other: str
) -> None:
    say(reel, kit, [("user", said), ("assistant", "…")])
    (name,) = [path.stem for path in kit.glob("tape/*/*.md")]
    reel("fact", "add", "context", key, value, "--source", f"{name}#1").ok()
    for asked in (key, question):
        first = reel("recall", asked).ok().out.split("\n")[0]
        assert (first.startswith(f"Known by heart: {key}: "), value in first) == (True, True)
    assert "Known by heart" not in reel("recall", other).out
