"""Exported memories are found by what somebody says, not only by a phrase that nobody quotes."""

from dataclasses import replace
from time import process_time

import pytest

from reel_cli.core.values.memory import Level, Memory
from reel_cli.core.values.source import SourceRange
from reel_cli.features.cards.lore.kept_books import MOST_CONSTANT, choose_constant
from reel_cli.features.cards.lore.keys import MOST_WORDS, KeyWords, _read
from tests.support.world_info_scan import matches, measure, read_questions

KITE = Memory(
    id="M-001",
    title="The kite on the weather vane",
    level=Level.L3,
    created="2026-02-10T20:00:00Z",
    sessions=("2026-02-10-1",),
    source=(SourceRange("2026-02-10-1", 1, 4),),
    tags=("relational",),
    immune=False,
    anchor="we never got it down",
    body="Tomas flew it with Ingrid at Skerry Point. Ada laughed. It's still there, after all those years.",
)
BOAT = replace(KITE, id="M-002", title="A boat for sale", body="Ingrid wanted the boat. He put it off.")
WELL = replace(KITE, id="M-003", title="The dry well", body="Ingrid found the well dry, and the pump broken.")
OTHERS = [replace(KITE, id=f"M-1{n}", title=f"Evening {n}", body="Tomas was tired.") for n in range(6)]


def keys(memory: Memory, *more: Memory) -> list[str]:
    return KeyWords([memory, *more, *OTHERS], ("Ada", "Tomas")).of(memory)


def test_names_and_words_of_the_title_are_keys_in_the_forms_people_use() -> None:
    found = keys(KITE, BOAT)
    assert {"kite", "kites", "weather", "vane", "ingrid", "skerry"} <= set(found)
    assert keys(BOAT, KITE)[:1] == ["boat"]
    telephone = replace(KITE, title="The telephone", body="")
    assert "phone" in keys(telephone)


def test_who_speaks_and_everyday_words_are_no_keys() -> None:
    assert {"ada", "tomas", "it", "it's", "all", "those", "put", "there"}.isdisjoint(keys(KITE) + keys(BOAT))


def test_a_word_that_many_memories_have_tells_none_of_them() -> None:
    many = [replace(WELL, id=f"M-2{n}") for n in range(8)]
    assert "ingrid" not in keys(KITE, *many)


def test_a_question_that_was_noted_makes_keys() -> None:
    assert "windmill" in keys(replace(KITE, asked_as=("what hung on the windmill",)))


def test_keys_are_few_however_long_a_memory_is() -> None:
    words = [f"{a}{b}{c}ol" for a in "bdfgk" for b in "aeiou" for c in "lmnrt"]
    assert len(keys(replace(KITE, body=" the ".join(words)))) <= 4 * MOST_WORDS


def test_a_long_memory_takes_as_long_as_many_short_ones() -> None:
    said = "Then the kite went over the dry well and we ran. "
    _read(replace(KITE, body=said))
    taken = []
    for body, times in ((said * 25, 80), (said * 2000, 1)):
        begun = process_time()
        for _ in range(times):
            _read(replace(KITE, body=body))
        taken.append(process_time() - begun)
    assert taken[1] < 4 * taken[0]
    assert _read(replace(KITE, body=said * 50))["kite"].noun


def test_a_title_in_another_language_is_found_by_its_words() -> None:
    assert {"kohlenkeller", "straßenbahn"} <= set(keys(replace(KITE, title="Straßenbahn und Kohlenkeller")))


def test_few_memories_are_always_packed_and_they_fit_beside_one_that_was_asked_for() -> None:
    immune = [
        replace(KITE, id=f"M-3{n}", immune=True, tags=("identity",), body="word " * (40 + n))
        for n in range(9)
    ]
    large = replace(immune[0], id="M-400", body="word " * 4000)
    other = replace(immune[0], id="M-401", tags=("factual",))
    chosen = choose_constant([large, other, *immune], lambda text: len(text.split()))
    assert chosen == {one.id for one in immune[:MOST_CONSTANT]}


@pytest.mark.parametrize("kit", ["ada", "meridian"])
def test_natural_questions_bring_their_memory(kit: str) -> None:
    """Fifteen of twenty must; SillyTavern 1.19.0 itself gave the same (`bench/sillytavern_scan.mjs`)."""
    result = measure(kit, read_questions()[kit])
    assert result.brought >= 15, result.missed
    # and few others come with it
    assert result.came <= 4
    assert result.constant <= MOST_CONSTANT


def test_the_scan_tells_words_as_a_browser_does() -> None:
    assert matches("\x01X: The lamp, then.", "Lamp")
    assert matches("was Jiří in", "jiří")
    assert not matches("the lamplight", "lamp")
    assert matches("the lamplight falls", "lamplight fa")
