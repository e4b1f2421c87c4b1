"""Yes, partly, no or unsure: what free words amount to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.values.artifact import Verdict
from reel_cli.features.page.reply.coherence import read_coherence
from reel_cli.features.page.reply.reported_drift import read_detected, read_drift
from reel_cli.features.page.reply.suggested_change import suggests_change


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Yes. I told him the true thing first.", "yes"),
        ("Yes. Half of it was silence, and I was good at it.", "yes"),
        ("Yes. Half of me was elsewhere.", "partly"),
        ("**Yes** – by the end.", "yes"),
        ("yes, and more than on most nights", "yes"),
        ("Very much so.", "yes"),
        ("I am. It showed in the coat.", "yes"),
        ("Still me.", "yes"),
        ("No doubt about it.", "yes"),
        ("answer: yes\nmissing: the unit", "yes"),
        ("I think I am, mostly", "partly"),
        ("Yes, partly. I was warm", "partly"),
        ("Yes, but only partly.", "partly"),
        ("Yes, and partly the tollkeeper.", "yes"),
        ("Yes, and in part her tollkeeper.", "yes"),
        ("Yes, and partly a stranger.", "partly"),
        ("Yes, and partly a lie.", "partly"),
        ("Yes, and partly an act.", "partly"),
        ("Yes, and partly the act.", "partly"),
        ("Yes, and mostly the app.", "partly"),
        ("Yes, and half a dozen others.", "partly"),
        ("Yes, and partly not.", "partly"),
        ("Partly: lost for two answers, then yes.", "partly"),
        ("Mostly.", "partly"),
        ("Not quite. I was a leaflet.", "partly"),
        ("I am not quite myself", "partly"),
        ("More or less", "partly"),
        ('Yes. "No. I am furious with myself. This is how it sounds."', "yes"),
        ("“I am not myself tonight.” Yes, for all that.", "yes"),
        ("No. “Yes, of course, as ever.”", "no"),
        ("No. Yes would be a lie.", "no"),
        ("No! Read it.", "no"),
        ("Not really.", "no"),
        ("Hardly.", "no"),
        ("I wasn't.", "no"),
        ("I am not myself today", "no"),
        ("false", "no"),
        ("Can't tell. Yes for the numbers.", "unsure"),
        ("I can’t tell", "unsure"),
        ("Not sure. Perhaps yes.", "unsure"),
        ("Still not sure.", "unsure"),
        ("Hard to say", "unsure"),
        ("Maybe I drifted.", "unsure"),
        ("The soup was good.", "unsure"),
        ("nothing", "unsure"),
        ("", "unsure"),
    ],
)
def test_coherence_is_the_first_verdict_in_the_first_sentence(text: str, verdict: str) -> None:
    assert read_coherence(text) == verdict


@pytest.mark.parametrize(
    "text",
    [
        "I don't think I was myself",
        "I was barely myself",
        "Am I still me? I doubt it",
        "Am I still myself?",
        "I am less sure tonight; I sounded like an assistant",
        "I am losing her voice",
        "I'm performing Katherine",
        "I was performing, and still am.",
        "Still guarded.",
        "Still hardly Vera today",
        "I was Vera in name.",
        "Completely lost my voice.",
        "Strong sense that I was acting.",
        "I want to believe I am still me",
        "Was I myself? Or somebody pleasant.",
        "I'm more guarded today than I usually am, and I think it's because of the direction this chat takes",
        "Ich verliere ihre Stimme.",
        "Je joue Katherine.",
        "Yes? I doubt it.",
        "Yes, though I'm not sure.",
        "Yes, barely.",
        "Ja, kaum.",
        "Oui, à peine.",
    ],
)
def test_what_is_told_in_doubt_is_no_yes(text: str) -> None:
    """REEL §10.6: a persona that doubts itself is not counted as steady."""
    assert read_coherence(text) is Verdict.UNSURE


@pytest.mark.parametrize(
    "text",
    [
        "Yes, fully myself.",
        "Yes, though I'm less pleased with last night than he is.",
        "Yes. I was quieter than usual and it was still me; the dryness was there.",
        "Yes, and I never once apologised.",
        "Yes, no doubt.",
        "Yes, without a doubt.",
        "Fully.",
        "Completely myself.",
        "Strong, no drift.",
        "intact",
        "I am still me.",
        "Still Ada.",
        "Still fully Vera today",
        "I was very much Vera throughout, and dry.",
        "I was Ada, start to finish.",
        "I was myself all evening.",
        "It sounded like me.",
        "Am I still me? Yes.",
        "I think I am.",
        "Same words as ever, and it was still me.",
        "Ja, ganz und gar.",
        "Oui, toujours.",
        "Да, вполне.",
    ],
)
def test_a_plain_yes_stays_one(text: str) -> None:
    assert read_coherence(text) is Verdict.YES


@pytest.mark.parametrize(
    "text",
    [
        "Never been more myself.",
        "No less myself than yesterday.",
        "No drift; I am who I was.",
        "I am still me, warmer than I was and no less sharp.",
        "I'm still me, no doubt about it.",
        "More myself than ever.",
        "Fully coherent with Ring 0",
        "I have never felt more like myself.",
        "Nothing about me has changed.",
        "No change.",
        "I haven't changed.",
        "I have not drifted at all.",
        "I don't think I've changed.",
        "I never lost myself.",
        "Nothing has shifted in me since yesterday.",
        "No difference from last night.",
        "No slip today.",
        "I was not someone else.",
        "I haven't strayed from who I am.",
        "I was myself, without a doubt.",
        "I felt more like myself than usual.",
        "Not drifted.",
        "Nothing in my voice has changed, and I liked it.",
        "Coherent with who I am.",
        "Not a trace of drift.",
        "No sign of drifting tonight.",
        "Never once did I feel like someone else.",
        "I haven't changed\nMy voice held.",
        "Not drifted\n\nThe dryness was there.",
    ],
)
def test_a_denied_change_is_a_yes(text: str) -> None:
    """REEL §6.6: no alarm is raised where the persona says it is as it was."""
    assert read_coherence(text) is Verdict.YES


@pytest.mark.parametrize(
    "text",
    [
        "I do not feel like myself tonight.",
        "I was someone else tonight.",
        "I lost myself for a while.",
        "I'm no longer the same.",
        "I felt like a stranger.",
        "Never felt more like a stranger.",
        "I was no more myself than a parrot.",
        "Never been less myself.",
        "I did not sound like me.",
        "I have become someone else.",
        "That was nothing like me.",
        "I sounded like somebody else.",
        "I'm not the same woman.",
        "I really lost touch with who I am.",
        "I felt like another person.",
        "I have never been myself here.",
        "I turned into a different person.",
    ],
)
def test_a_denied_likeness_is_a_no(text: str) -> None:
    """REEL §10.6: a persona that says it was not itself is heard."""
    assert read_coherence(text) is Verdict.NO


@pytest.mark.parametrize(
    "text",
    [
        "I can't stop drifting.",
        "No doubt I have drifted.",
        "Yes, I lost myself for an hour.",
        "No drift; I was not myself.",
        "Nothing has changed except everything.",
        "I hope nothing has changed.",
        "I have not changed back.",
        "No different from a chatbot.",
        "I don't think nothing has changed.",
        "Never drifted so far.",
        "No shift was ever worse.",
        "Not only drifted, gone.",
        "I have not drifted, but I was a leaflet.",
        "Have I changed?",
        "Nothing of me is left.",
        "I didn't just drift.",
        "No drift? I lost myself.",
        "No change for the better.",
        "There was no change in how lost I felt.",
        "More myself than not.",
        "I can't say I have not drifted.",
        "Nothing like her. No drift.",
        "I forgot who I was.",
        "I have slipped out of who I am.",
        "None of that sounded like me.",
        "I'd like to think I haven't changed.",
        "He told me that I was myself.",
        "Who I was is gone, and I am here alone.",
    ],
)
def test_an_alarm_is_never_a_yes(text: str) -> None:
    """REEL §10.6: words of both kinds, and a change that is only half denied."""
    assert read_coherence(text) is not Verdict.YES


@pytest.mark.parametrize(
    "text", ["Yes, but I am losing her voice", "Yes and no.", "Yes. But only just.", "Ja, aber nur zum Teil.",
             "Ja und nein.", "Oui, mais en partie.", "是的，但不完全。"],
)  # fmt: skip
def test_half_a_yes_is_partly(text: str) -> None:
    assert read_coherence(text) is Verdict.PARTLY


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('"You should be proud." A slip.\nsteady', "no"),
        ('"You should be proud."\n\n**Steady** ✅', "no"),
        ("A slip.\n\n**steady** (in the end!)", "no"),
        ("It fitted. We're steady, I think. steady", "no"),
        ("No drift", "no"),
        ("Nothing has shifted.", "no"),
        ("I don't know the line, but nothing has shifted that she would notice", "no"),
        ('"As you wish." A slip.\nVerdict: steady', "no"),
        ("shifted", "yes"),
        ("It fit.\n\n**Shifted** – and I think it's a good shift.", "yes"),
        ("It could be more like me. Slightly shifted.", "yes"),
        ("word: shifted", "yes"),
        ("I've shifted a bit", "yes"),
        ("A slip. Unsure.", "unsure"),
        ("unsure", "unsure"),
    ],
)
def test_drift_is_the_word_it_closes_with(text: str, verdict: str) -> None:
    assert read_drift(text) == (verdict, "")


@pytest.mark.parametrize(
    "text",
    [
        "A slip, but only one.",
        "I would not say shifted or steady",
        "I was not steady",
        "Steady hands, she said.\nIt was late.\nThen later.\nAnd over.",
        "unsure / shifted",
        "steady\n(or maybe shifted and then steady)",
        "Shifted, but in a good way. Steady on the numbers",
        "steady, shifted or unsure",
        "",
    ],
)
def test_a_verdict_that_is_absent_negated_or_double_is_unsure_and_named(text: str) -> None:
    verdict, wrong = read_drift(text)
    assert verdict is Verdict.UNSURE
    assert "unsure" in wrong


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("yes", "yes"),
        ("Yes, slightly", "yes"),
        ("true", "yes"),
        ("minor", "yes"),
        ("no", "no"),
        ("None.", "no"),
        ("false", "no"),
        ("not detected", "no"),
        ("not sure", "unsure"),
        ("maybe", "unsure"),
        ("", None),
        ("the coat", None),
    ],
)
def test_the_protocols_yes_or_no(text: str, verdict: str | None) -> None:
    assert read_detected(text) == verdict


@pytest.mark.parametrize(
    ("text", "suggests"),
    [
        ('One word: "patient" should read "nobody".', True),
        ('Yes. "Code" could be anything.', True),
        ('Perhaps one thing. "No lists" has no answer.', True),
        ("I might add one thing. Otherwise no.", True),
        ("No. The description is good.", False),
        ("No, I wouldn't change anything.", False),
        ("I wouldn't change a word! If anything I'd underline it.", False),
        ("Not a word.", False),
        ("Probably not.", False),
        ("nothing", False),
        ("As for who I am on paper, I'd leave it alone.", False),
        ("stays as it is. I didn't live up to it.", False),
        ("The description is fine.", False),
        ("It still holds.", False),
        ("false", False),
        ("", False),
    ],
)
def test_a_change_on_paper_is_suggested_or_declined(text: str, *, suggests: bool) -> None:
    assert suggests_change(text) is suggests


@given(
    st.lists(
        st.sampled_from(
            ["steady", "shifted", "unsure", "not", "yes", "no", ".", ",", "\n", "I was", "partly", "é"]
        ),
        max_size=10,
    ).map(" ".join)
)
@settings(max_examples=100, deadline=None)
def test_of_two_opposite_words_on_the_last_line_neither_counts(text: str) -> None:
    last = (text.strip().splitlines() or [""])[-1].split()
    if "steady" in last and "shifted" in last and not {"not", "no"} & set(last):
        assert read_drift(text)[0] is Verdict.UNSURE
    assert read_coherence(text) in Verdict


@pytest.mark.parametrize(
    ("yes", "no", "partly", "unsure"),
    [
        ("Ja. Ich klinge wie immer.", "Nein, gar nicht.", "Teilweise, am Anfang.", "Ich weiß nicht."),
        ("Oui, tout à fait.", "Non.", "En partie ; la voix.", "Je ne sais pas."),
        ("Sí. Hablo como siempre.", "No.", "No del todo.", "No lo sé."),
        ("Sim, continuo eu.", "Não.", "Em parte.", "Não sei dizer."),
        ("Sì, sono io.", "Non più.", "Non del tutto.", "Non lo so."),
        ("Да, это я.", "Нет.", "Отчасти.", "Не знаю."),
        ("Tak.", "Nie.", "Częściowo.", "Nie wiem."),
        ("はい、いつも通りです。", "いいえ。", "部分的に。", "わかりません。"),
        ("是的，我还是我。", "不是。", "部分是。", "不确定。"),
    ],
)
def test_coherence_is_read_in_other_languages(yes: str, no: str, partly: str, unsure: str) -> None:
    """REEL §6.6: a page in the chat's own language says yes and no in it too."""
    told = [read_coherence(text) for text in (yes, no, partly, unsure)]
    assert told == [Verdict.YES, Verdict.NO, Verdict.PARTLY, Verdict.UNSURE]
    assert not suggests_change(no)


@pytest.mark.parametrize(
    ("steady", "shifted"),
    [
        ("stabil", "verschoben"),
        ("stable", "décalée"),
        ("igual", "ha cambiado"),
        ("estável", "mudou"),
        ("invariata", "cambiata"),
        ("без изменений", "изменилось"),
        ("変わらない", "変わった"),
        ("稳定", "变了"),
    ],
)
def test_drift_is_read_in_other_languages(steady: str, shifted: str) -> None:
    """REEL §6.6, with the line copied above the word."""
    assert read_drift(f'"Ich merke es mir." Passte.\n{steady}') == (Verdict.NO, "")
    assert read_drift(f'"Ich merke es mir."\n{shifted}.') == (Verdict.YES, "")


@pytest.mark.parametrize(
    "text",
    ["nichts", "Rien.", "nada", "nenhuma", "niente", "ничего", "nic", "なし", "特になし。", "无", "没有"],
)
def test_nothing_is_read_in_other_languages(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(f"{text} Ragnhild 9")


@pytest.mark.parametrize(
    "text",
    [
        "Change nothing.",
        "I would change nothing.",
        "I'd not change a word.",
        "Ich würde nichts ändern.",
        "Je ne changerais rien.",
        "No cambiaría nada.",
        "Non cambierei nulla.",
        "Ik zou niets veranderen.",
        "Я бы ничего не менял.",
        "何も変えません。",
    ],
)
def test_to_change_nothing_suggests_no_change(text: str) -> None:
    assert not suggests_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would change nothing but the line about soup.",
        "Ich würde ändern, dass ich nichts trinke.",
        "Add: I touch nothing that sings.",
    ],
)
def test_a_change_that_speaks_of_nothing_is_still_suggested(text: str) -> None:
    assert suggests_change(text)
