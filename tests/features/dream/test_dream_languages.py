"""Dreams in other languages: corrections, threads, promises and facts as models write them there."""

from datetime import date
from pathlib import Path

import pytest

from reel_cli.core.evidence.grounding.check import Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.quote_marks import MARKS
from reel_cli.features.dream.dream import Status
from reel_cli.features.dream.fact_support import FactSupport
from reel_cli.features.dream.reply_amendments import split_amendments
from reel_cli.features.dream.reply_items import read_threads
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import DREAM
from tests.support.cli import Reel
from tests.support.dreaming_persona import have_talk, reply_to

ASKED = "This was said for a day that may have passed, and nothing was found that was said of it since."


@pytest.mark.parametrize(("mark", "closing"), MARKS.items())
@pytest.mark.parametrize("colon", [": ", "："])
def test_a_correction_is_read_in_any_quotation_marks(mark: str, closing: str, colon: str) -> None:
    for close in closing:
        line = f"Amend {mark}Ich meinte mehr als Holz{close}{colon}ich meinte Wiebke."
        story, [one] = split_amendments(f"Eine Tonleiter\n\n{line}\n\nEnde.")
        assert (one.old, one.new) == ("Ich meinte mehr als Holz", "ich meinte Wiebke.")
        assert story == "Eine Tonleiter\n\nEnde."


def test_threads_are_read_with_the_colons_and_words_of_other_languages() -> None:
    told = read_threads(
        "1：done，“昨天我去看小兰了”\n2: erledigt, „ja“\nneu: 2026-11-02 · Jonas · Geige\n"
        "new：2026-11-27 · Jonas · 手术",
        "Ada",
        "Jonas",
        2,
    )
    assert [(one.number, one.status) for one in told.words] == [(1, Status.DONE), (2, Status.DONE)]
    assert [(one.day, one.owner, one.text) for one in told.new] == [
        ("2026-11-02", "Jonas", "Geige"),
        ("2026-11-27", "Jonas", "手术"),
    ]


@pytest.mark.needs("intake")
@pytest.mark.parametrize(
    "said",
    [
        "I'll send you the contract on 14 February.",
        "Ich schicke dir den Vertrag am 14. Februar.",
        "Ich schicke dir den Vertrag am 14.2.",
        "Je t'enverrai le contrat le 14 février.",
        "Te mandaré el contrato el 14 de febrero.",
        "Eu mando o contrato em 14 de fevereiro.",
        "Ti mando il contratto il 14 febbraio.",
        "Я пришлю тебе договор 14 февраля.",
        "2月14日に契約書を送ります。",
        "我会在二月十四日把合同寄给你。",
    ],
)
def test_a_promise_for_a_day_of_the_month_is_asked_about_when_it_has_passed(
    reel: Reel, kit: Path, said: str
) -> None:
    have_talk(reel, kit, "2026-02-05", said, "Mm.")
    reel("dream", "start", "--yes").ok()
    assert f"“{said}”" in reel("dream", "next", "--prompt").ok().out


@pytest.mark.needs("intake")
@pytest.mark.parametrize(
    "said", ["Ich schicke dir den Vertrag am 14. März.", "Ti mando il contratto il 14 marzo."]
)
def test_nothing_is_asked_about_a_day_of_the_month_to_come(reel: Reel, kit: Path, said: str) -> None:
    have_talk(reel, kit, "2026-02-05", said, "Mm.")
    reel("dream", "start", "--yes").ok()
    assert ASKED not in reel("dream", "next", "--prompt").ok().out


@pytest.mark.needs("intake")
def test_a_promise_whose_day_came_after_the_dream_that_read_it_is_asked_about_by_the_next(
    reel: Reel, kit: Path
) -> None:
    """Dream Weaver §3.3: every broken promise comes to the list, whichever dream read it."""
    promise = "I'll bring the ladder back to Marta's yard on 4 March."
    have_talk(reel, kit, "2026-02-27", promise, "Mm.")

    def dream() -> str:
        reel("dream", "start", "--yes").ok()
        prompt = reel("dream", "next", "--prompt").ok().out
        reel(
            "dream", "next", "--reply", "-", "--yes", stdin=reply_to(prompt, "It rained, and I waited.")
        ).ok()
        return prompt

    assert ASKED not in dream()
    have_talk(reel, kit, "2026-03-09", "The mill is shut.", "Then rest.")
    reel.env["REEL_NOW"] = "2026-03-10T08:00:00+00:00"
    assert f"- 27 February 2026, Bo: “{promise}”" in dream()
    have_talk(reel, kit, "2026-03-11", "It snowed.", "Then rest.")
    reel.env["REEL_NOW"] = "2026-03-12T08:00:00+00:00"
    assert ASKED not in dream()


@pytest.mark.parametrize(
    ("said", "kind", "key", "value", "borne"),
    [
        ("Ich bin Jonas, 41, Tischler in Görlitz.", "identity", "Beruf", "Tischler in Görlitz", True),
        ("我是会计，在成都工作。", "identity", "职业", "会计，在成都工作", True),
        ("私はピーナッツアレルギーがあります。", "constraints", "アレルギー", "ピーナッツアレルギー", True),
        ("我妹妹对花生过敏。", "constraints", "过敏", "花生", False),
        ("我对花生不过敏。", "constraints", "花生", "过敏", False),
        ("我是会计，在成都工作。", "identity", "职业", "律师", False),
        ("Ich bin Jonas, 41, Tischler in Görlitz.", "identity", "Beruf", "Tischler in Lübeck", False),
    ],
)
def test_a_dreams_fact_is_borne_by_the_words_as_they_were_said(
    said: str, kind: str, key: str, value: str, *, borne: bool
) -> None:
    source = Source([look_at_turn(Turn(1, "Jonas", said))], who="Ada Jonas", me="Ada")
    assert FactSupport(source, ("Jonas", "Ada")).is_borne(Fact(kind, key, value, origin=DREAM)) is borne


@pytest.mark.parametrize(
    ("told", "doubts"),
    [
        ("Er war zum ersten Mal im Zimmer, und der Vater sah das Holz. Seitdem ist das Wort ein Witz.", []),
        ("Am 25. November kam die Maschine, und der Tisch ist da.", []),
        ("Am 3. Dezember kam die Maschine, und das Holz ist nicht da.", ["3. Dezember"]),
        ("Le 3 décembre la machine est venue.", ["3 décembre"]),
        ("Seine Schwester heißt Gerda, und das ist nicht gut.", ["Gerda"]),
        ("Seine Schwester heißt Wiebke, und das ist gut.", []),
    ],
)
def test_a_german_noun_is_no_name_and_a_day_that_is_wrong_is_told_as_a_day(
    told: str, doubts: list[str]
) -> None:
    said = "Meine Schwester heißt Wiebke. Die Maschine kam gestern, und der Tisch ist fertig."
    source = Source([look_at_turn(Turn(1, "Jonas", said, date(2026, 11, 26)))], who="Ada Jonas", me="Ada")
    assert [one.claim for one in find_ungrounded([Stretch(told, ((0, 1),))], source)] == doubts
