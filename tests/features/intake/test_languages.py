"""Things worth keeping in seven languages beside English: noticed where they are, and nothing elsewhere."""

from pathlib import Path

import pytest

from reel_cli.features.intake import signs
from reel_cli.features.intake.detection import find_promises, notice

SAMPLES = {path.stem: path for path in (Path(__file__).parents[2] / "fixtures" / "noticed").glob("*.txt")}
WHY = {
    "remember": signs.REMEMBER,
    "correction": signs.CORRECTION,
    "health": signs.HEALTH,
    "promise": signs.PROMISE,
    "who": signs.WHO,
    "life": signs.LIFE,
    "decision": signs.DECISION,
    "feeling": signs.FEELING,
    "habit": signs.HABIT,
    "appointment": signs.APPOINTMENT,
}


def read_samples(language: str) -> list[tuple[str, str]]:
    """Each sentence of a language, with its reason; `-` where there is none."""
    lines = SAMPLES[language].read_text(encoding="utf-8").splitlines()
    return [(kind, said) for kind, _, said in (line.partition("|") for line in lines)]


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_what_may_matter_is_noticed_with_its_reason(language: str) -> None:
    """Memory Keep §II.3.1: each message is judged, whatever language it is in."""
    told = [(kind, said) for kind, said in read_samples(language) if kind != "-"]
    assert {kind for kind, _ in told} == set(WHY)
    assert len(told) >= 12
    found = [(said, [(one.words, one.why) for one in notice(said)]) for _, said in told]
    assert found == [(said, [(said, WHY[kind])]) for kind, said in told]


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_everyday_sentences_go_by(language: str) -> None:
    told = [said for kind, said in read_samples(language) if kind == "-"]
    assert len(told) >= 12
    assert [said for said in told if notice(said)] == []
    assert notice("\n".join(told)) == ()


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_a_promise_for_a_named_day_is_told_from_one_without(language: str) -> None:
    """Dream Weaver §3.3: tasks that were promised and dropped are found, whatever language they are in."""
    samples = read_samples(language)
    found = {said: find_promises(said) for _, said in samples}
    assert 1 <= sum(map(bool, found.values())) < sum(kind == "promise" for kind, _ in samples)
    assert [said for kind, said in samples if found[said] and kind != "promise"] == []
    assert all(words == said and day in said for said, told in found.items() for words, day in told)


def test_the_languages_are_the_ones_promised() -> None:
    assert sorted(SAMPLES) == [
        *("chinese", "french", "german", "japanese"),
        *("portuguese", "russian", "spanish"),
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "Well, we talked. Ich bin allergisch gegen Nüsse. I promise I'll be there.",
            ["Ich bin allergisch gegen Nüsse.", "I promise I'll be there."],
        ),
        ("今日は楽しかった。妹のイネスが来るんだ。また明日！", ["妹のイネスが来るんだ。"]),
        ("好的。我對花生過敏。今天天气真好！", ["我對花生過敏。"]),
        (
            "Am 3. Mai. Der Termin ist am 14. Mai um 9.30 Uhr. Gut!",
            ["Der Termin ist am 14. Mai um 9.30 Uhr."],
        ),
        ("Она сказала: «Я решила уйти». Ну и ладно.", []),
        ("Sie sagte: „Ich kündige.“ Schade.", []),
    ],
)
def test_mixed_talk_and_sentences_of_each_script(said: str, words: list[str]) -> None:
    assert [one.words for one in notice(said)] == words


def test_of_the_persona_s_words_only_promises() -> None:
    said = "Ich heiße Ada. Ich verspreche es dir. 約束するよ。"
    assert [one.words for one in notice(said, own=True)] == ["Ich verspreche es dir.", "約束するよ。"]


def test_a_long_sentence_without_spaces_is_quoted_around_what_matters() -> None:
    said = "本" * 600 + "我对坚果过敏" + "书" * 600
    (one,) = notice(said)
    assert "我对坚果过敏" in one.words
    assert one.words in said


@pytest.mark.parametrize(
    "said",
    [
        "妹が来ます。忘れないでね！",
        "覚えておいて。鍵は鉢の下。",
        "She comes on the night train. Remember that.",
        "Sie kommt mit dem Nachtzug. Merk dir das.",
        "Она едет ночным поездом. Запомни это.",
        "她坐夜车来。记住这个。",
    ],
)
def test_what_should_be_remembered_comes_with_the_words_that_ask_for_it(said: str) -> None:
    """Memory Keep §II.3.1: an item that waits says what it is about."""
    assert [one.words for one in notice(said)] == [said]
    assert [one.words for one in notice(f"{said} How are you?")] == [said]
