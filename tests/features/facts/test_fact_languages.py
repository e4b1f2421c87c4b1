"""Facts in other languages: kept where the words say so, and nothing that they ask, deny or only suppose."""

import json
from pathlib import Path

import pytest

from reel_cli.core.evidence.unspaced_clause import find_said, tells_of_kin
from reel_cli.core.quote_marks import MARKS, QUOTED
from reel_cli.features.facts.evidence.certainty import read_certainty
from reel_cli.features.facts.reply import read_told
from tests.features.facts.test_fact_extract import aside, facts
from tests.support.cli import Reel
from tests.support.pages import say


def told(
    reel: Reel, kit: Path, said: str, *rows: tuple[str, str, str, str]
) -> tuple[dict[str, str], list[str]]:
    """Return the facts that are kept of a turn, and what is said of the others."""
    say(reel, kit, [("user", said), ("assistant", "Ok.")])
    listed = "\n".join(f'{kind} | {key} | {value} | "{words}" | 1' for kind, key, value, words in rows)
    reply = f"## What I know for sure\n{listed}\n\nAda\n"
    run = reel("fact", "extract", "--reply", "-", "--yes", "--json", stdin=reply)
    return facts(reel), [one["what"] for one in json.loads(run.out).get("problems", [])]


@pytest.mark.parametrize(
    ("said", "key", "value", "kept"),
    [
        ("我对花生过敏，真的很严重。", "过敏", "花生", "花生"),
        ("我是会计，在成都工作。", "职业", "会计", "会计"),
        ("我妹妹叫小兰，她今年十岁，住在成都。", "妹妹", "小兰，住在成都", "小兰，住在成都"),
        ("私はピーナッツアレルギーがあります。", "アレルギー", "ピーナッツ", "ピーナッツ"),
        (
            "ペニシリンのアレルギーがあります。",
            "アレルギー",
            "ペニシリンアレルギー",
            "ペニシリンのアレルギー",
        ),
        ("豚肉は食べません。", "豚肉", "食べない", "豚肉は食べません。"),
        ("내 여동생 수진이가 왔어.", "여동생", "수진", "수진"),
        ("나는 페니실린 알레르기가 있어.", "알레르기", "페니실린", "페니실린"),
        ("Soy alérgica a la penicilina.", "alergia", "penicilina", "penicilina"),
        ("Ich trinke seit dem 3. März keinen Alkohol.", "nüchtern", "seit dem 3. März", "seit dem 3. März"),
    ],
)
def test_a_fact_whose_words_were_said_is_kept(
    reel: Reel, kit: Path, said: str, key: str, value: str, kept: str
) -> None:
    found, problems = told(reel, kit, said, ("constraints", key, value, said))
    assert list(found.values()) == [kept], problems


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("我是会计，在成都工作。", "律师"),
        ("我对花生不过敏。", "过敏"),
        ("我对花生过敏吗？", "花生"),
        ("也许我会搬到成都。", "搬到成都"),
        ("ペニシリンのアレルギーはありません。", "ペニシリンアレルギー"),
        ("나는 페니실린 알레르기가 없어.", "페니실린 알레르기"),
        ("우리 개발자 모임이야.", "개"),
        ("3月3日に手術を受けます。", "5月3日"),
        ("Ich trinke seit dem 3. März keinen Alkohol.", "3. Mai"),
        ("Je n'ai plus de voiture depuis le 3 mars.", "3 mai"),
        ("Je ne mange pas de porc.", "mange"),
        ("Ich rauche nicht mehr.", "rauche"),
        ("Bin ich etwa geizig?", "geizig"),
        ("Suis-je avare ?", "avare"),
        ("¿Soy tacaño?", "tacaño"),
        ("Разве я жадный?", "жадный"),
        ("Wenn ich in Rom wohnen würde, wäre ich Bäcker.", "Bäcker"),
        ("Si j'habitais à Rome, je serais boulanger.", "boulanger"),
        ("Si viviera en Roma, sería panadero.", "panadero"),
        ("Может быть, я перееду в Вену.", "перееду в Вену"),
        ("Im Roman steht: »Ich bin ein Mörder.«", "ein Mörder"),
        ("Du sagtest: ‚Ich mag Regen‘, weißt du noch?", "mag Regen"),
        ("OK.", "y"),
    ],
)
def test_no_fact_is_kept_that_the_words_do_not_say(reel: Reel, kit: Path, said: str, value: str) -> None:
    quoted = QUOTED.search(said)
    words = said if quoted is None else next(filter(None, quoted.groups()))
    found, problems = told(reel, kit, said, ("context", "x", value, words))
    assert value not in found.values(), problems
    assert problems


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("妹は美咲", "妹の美咲が結婚する", "妹の美咲"),
        ("美咲", "妹の美咲が結婚する", "美咲"),
        ("美月", "妹の美咲が結婚する", ""),
        ("在Google工作", "我在 Google 工作。", "在Google工作"),
        ("5月3日", "3月5日に手術", ""),
        ("부산", "나는 부산에 살고", "부산"),
        ("ham", "ham", ""),
        # another number, words too far apart, and nothing but the same letters in a row
        ("猫2匹", "猫は12匹", ""),
        ("犬散歩", "犬が好きで毎日公園を散歩", ""),
        ("さくら", "さけのくらい", ""),
    ],
)
def test_the_words_of_a_value_are_found_without_spaces(value: str, text: str, found: str) -> None:
    assert find_said(value, text) == found


def test_what_is_said_of_kin_and_of_oneself_is_ones_own_too() -> None:
    assert tells_of_kin("花粉症", "", ["妹は花粉症です。"]) == "妹は花粉症です。"
    assert not tells_of_kin("花粉症", "妹", ["妹は花粉症です。"])
    assert not tells_of_kin("花粉症", "", ["妹は花粉症です。私も花粉症です。"])


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("0,4", 4_000), ("1,0", 10_000), ("4/10", 4_000), ("8 von 10", 8_000), ("40%", 4_000),
        ("unsicher", 4_000), ("pas sûr", 4_000), ("不确定", 4_000), ("sicher", 9_000), ("вероятно", 7_000),
        ("banana", None), ("", None),
    ],
)  # fmt: skip
def test_a_certainty_is_read_as_it_is_written(text: str, sure: int | None) -> None:
    assert read_certainty(text) == sure


@pytest.mark.parametrize("row", ["0,4", "4/10", "unsicher"])
def test_a_fact_that_is_not_sure_is_not_kept(reel: Reel, kit: Path, row: str) -> None:
    say(reel, kit, [("user", "Ich mag Kaffee."), ("assistant", "Ok.")])
    reply = f'## What I know for sure\npreferences | Kaffee | mag Kaffee | "Ich mag Kaffee." | {row}\n\nAda\n'
    run = reel("fact", "extract", "--reply", "-", "--yes", "--json", stdin=reply).ok()
    assert (facts(reel), aside(reel)) == ({}, {"preferences/kaffee": "mag Kaffee"})
    assert "0.4 sure" in run.out


@pytest.mark.parametrize(("mark", "closing"), MARKS.items())
def test_words_are_taken_out_of_any_quotation_marks(mark: str, closing: str) -> None:
    for close in closing:
        [one] = read_told(
            f"constraints | アレルギー | ペニシリン | {mark}ペニシリンのアレルギー{close} | 0.9"
        )
        assert (one.evidence, one.sure) == ("ペニシリンのアレルギー", 9_000)


@pytest.mark.parametrize(
    ("before", "key", "value", "after", "name"),
    [
        (
            "Ich bin allergisch gegen Haselnüsse.",
            "Allergie",
            "allergisch gegen Haselnüsse",
            "Meine Haselnussallergie ist weg.",
            ("Haselnussallergie", "weg"),
        ),
        (
            "Je suis allergique aux noisettes.",
            "allergie",
            "allergique aux noisettes",
            "Mon allergie aux noisettes est finie.",
            ("allergie noisettes", "finie"),
        ),
        (
            "У меня аллергия на орехи.",
            "аллергия",
            "на орехи",
            "Аллергия на орехи прошла.",
            ("ореховая аллергия", "прошла"),
        ),
        (
            "Ich nehme jeden Morgen Marcumar 3 mg.",
            "Marcumar",
            "jeden Morgen Marcumar 3 mg",
            "Marcumar habe ich abgesetzt.",
            ("Marcumar", "abgesetzt"),
        ),
    ],
)
def test_what_protects_somebody_waits_under_another_name(
    reel: Reel, kit: Path, before: str, key: str, value: str, after: str, name: tuple[str, str]
) -> None:
    say(reel, kit, [("user", f"{before} {after}"), ("assistant", "Ok.")])
    rows = f'constraints | {key} | {value} | "{before}" | 1\ncontext | {name[0]} | {name[1]} | "{after}" | 1'
    reel("fact", "extract", "--reply", "-", "--yes", stdin=f"## What I know for sure\n{rows}\n\nAda\n").ok()
    assert list(facts(reel).values()) == [value]
