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


REMINDERS = {
    "french": ["Rappelle-moi jeudi de payer le loyer."],
    "german": ["Erinnere mich am Donnerstag an die Miete."],
    "japanese": ["木曜日に家賃のことを思い出させて。"],
    "portuguese": ["Me lembra na quinta de pagar o aluguel."],
}
"""Wishes to be reminded on a day, which the persona owes as it owes a promise."""


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_a_promise_for_a_named_day_is_told_from_one_without(language: str) -> None:
    """Dream Weaver §3.3: tasks that were promised and dropped are found, whatever language they are in."""
    samples = read_samples(language)
    found = {said: find_promises(said) for _, said in samples}
    assert 1 <= sum(map(bool, found.values())) < sum(kind == "promise" for kind, _ in samples)
    reminders = REMINDERS.get(language, [])
    assert [said for kind, said in samples if found[said] and kind != "promise"] == reminders
    assert all(words == said and day in said for said, told in found.items() for words, day in told)


PROMISED = {
    "english": (
        "On Friday I'll call Marta about the stove.",
        "I'm going to bring the ladder back tomorrow.",
        "On the 14th I'll hand in the plans.",
        "By the end of October I'll have the shed painted.",
        "Remind me on 12 October to pay the rent.",
        "Could you remind me on the 3rd to call Marta?",
    ),
    "german": (
        "Am Freitag rufe ich Marta an und erzähle ihr vom Ofen.",
        "Ich werde am 12. Oktober die Karte bringen.",
        "Ich verspreche dir, bis zum 12. Oktober die Karte fertig zu haben.",
        "Morgen komme ich bei dir vorbei.",
        "Am 14. bringe ich dir das Buch, und zum 20. die Karte.",
        "Bis Ende Dezember bringe ich dir das Buch.",
        "Erinnere mich am 12. Oktober an die Miete.",
    ),
    "french": (
        "Vendredi, j'appellerai Marta.",
        "Demain je lui apporterai la carte.",
        "Je vais réparer le poêle samedi.",
        "Vendredi j'appelle Marta.",
        "D'ici fin octobre, je réparerai le poêle.",
        "Rappelle-moi le 12 octobre de payer le loyer.",
    ),
    "spanish": (
        "El viernes llamaré a Marta.",
        "Mañana voy a llevarle el mapa.",
        "El viernes llamo a Marta.",
        "El 12 de octubre repararemos la estufa.",
        "El 16 de octubre te pregunto por el pasaporte.",
        "El 14 entregaré la tesis.",
        "A finales de octubre repararé la estufa.",
        "Recuérdame el 12 de octubre pagar el alquiler.",
    ),
    "portuguese": (
        "Na sexta-feira ligarei para a Marta.",
        "Amanhã vou levar o mapa.",
        "Na sexta-feira ligo para a Marta.",
    ),
    "italian": ("Ti chiamo venerdì, promesso.", "Venerdì chiamerò Marta.", "Domani le porto la mappa."),
    "russian": ("В пятницу позвоню Марте.", "Завтра я буду чинить печь.", "В пятницу я принесу карту."),
    "japanese": (
        "金曜日にマルタに電話するよ。",
        "明日、地図を届けます。",
        "10月18日に引っ越しのことを聞きますね。",
    ),
    "chinese": (
        "星期五我会给玛尔塔打电话。",
        "明天我去給瑪爾塔打電話。",
        "星期五我打算把地图还给她。",
        "我10月19日会提醒你交房租。",
        "我10月14日把合同寄给你。",
    ),
}
NOT_PROMISED = {
    "english": (
        "I'll be on the 4th floor.",
        "I'll read about the 19th century.",
        "On Friday I won't call Marta.",
        "Marta said I'll call her on Friday.",
        "Will I call Marta on Friday?",
        "Maybe I'll call Marta on Friday.",
        "I'll call Marta.",
    ),
    "german": (
        "Am Freitag rufe ich Marta nicht an.",
        "Ich werde am Freitag Marta nicht anrufen.",
        "Marta hat gesagt, am Freitag rufe ich sie an.",
        "Rufe ich Marta am Freitag an?",
        "Vielleicht rufe ich Marta am Freitag an.",
        "Jeden Freitag rufe ich Marta an.",
        "Am Freitag schreibe ich eine Klausur.",
        "Ich werde am Freitag vierzig.",
        "Ich rufe Marta an.",
    ),
    "french": (
        "Vendredi, je n'appellerai pas Marta.",
        "Marta a dit : vendredi, j'appellerai le facteur.",
        "Tu dis que je l'appellerai vendredi.",
        "Est-ce que j'appellerai Marta vendredi ?",
        "Chaque vendredi j'appelle Marta.",
        "Vendredi je serai fatigué.",
        "J'appellerai Marta.",
    ),
    "spanish": (
        "El viernes no llamaré a Marta.",
        "Marta dijo que llamaré al cartero el viernes.",
        "¿Llamaré a Marta el viernes?",
        "El viernes compré pan y miré el mar.",
        "El viernes preparé la sopa.",
        "Quizás llamaré a Marta el viernes.",
        "El viernes es mi día libre.",
    ),
    "portuguese": (
        "Na sexta-feira não ligarei para a Marta.",
        "A Marta disse que na sexta-feira ligarei para ela.",
        "Ligarei para a Marta na sexta-feira?",
        "Na sexta-feira preparei a sopa e tirei uma foto.",
        "Talvez eu vá; talvez na sexta-feira vou ligar.",
    ),
    "italian": (
        "Venerdì non chiamerò Marta.",
        "Marta ha detto che venerdì chiamerò il postino.",
        "Chiamerò Marta venerdì?",
        "Ogni venerdì chiamo Marta.",
        "Però venerdì piove.",
        "Forse chiamerò Marta venerdì.",
    ),
    "russian": (
        "В пятницу я не позвоню Марте.",
        "Марта сказала, что в пятницу я ей позвоню.",
        "Я позвоню Марте в пятницу?",
        "Наверное, в пятницу позвоню Марте.",
    ),
    "japanese": (
        "金曜日はマルタに電話しないよ。",
        "金曜日に電話するよ、とマルタが言っていた。",
        "金曜日にマルタに電話するよね？",
        "明日電話しますか。",
    ),
    "chinese": (
        "星期五我不会给玛尔塔打电话。",
        "玛尔塔说我星期五会给她打电话。",
        "星期五我会给玛尔塔打电话吗？",
        "他说星期五我会给他打电话。",
        "也许星期五我会给她打电话。",
    ),
}


@pytest.mark.parametrize("language", PROMISED)
def test_any_words_for_what_one_will_do_on_a_day_are_a_promise(language: str) -> None:
    """Dream Weaver §3.3: a task for a day need not be called a promise to be missed."""
    told = PROMISED[language]
    assert [[words for words, _ in find_promises(said)] for said in told] == [[said] for said in told]


@pytest.mark.parametrize("language", NOT_PROMISED)
def test_what_is_denied_asked_retold_or_done_always_is_no_promise(language: str) -> None:
    assert [said for said in NOT_PROMISED[language] if find_promises(said)] == []
    assert [said for said in NOT_PROMISED[language] if find_promises(said, own=True)] == []


def test_a_call_that_will_not_be_made_is_not_noticed_as_a_promise() -> None:
    assert notice("Am Freitag rufe ich Marta nicht an.") == ()


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
