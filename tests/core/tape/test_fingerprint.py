import json

import pytest

from reel_cli.core.tape.erasure import fingerprint
from reel_cli.core.tape.erasure.fingerprint import Fingerprint, make_fingerprint, words_of

COST = fingerprint._COST
"""The cost of a print outside of the tests, whose own setup makes it cheap."""
LONG = "the spare key lies under the third blue pot 47 behind the shed"


def made(text: str, *, whole: bool = False) -> Fingerprint:
    found = make_fingerprint(text, "5a17", whole=whole)
    assert found is not None
    return found


def spans(one: Fingerprint, text: str) -> list[str]:
    return [text[start:end] for start, end in one.find(words_of(text))]


@pytest.mark.parametrize(
    "text",
    ["+358 40 123 4567", "hunter2", "Anna Karlsson", "DE89 3704 0044 0532 0130 00 " * 4, "one two three", ""],
)
def test_what_could_be_found_by_trying_leaves_no_print(text: str) -> None:
    assert make_fingerprint(text, "5a17", whole=False) is None


def test_it_is_known_again_in_other_letters_and_line_ends() -> None:
    other = f"Listen. {LONG.upper().replace(' ', chr(10), 3)}, he said"
    assert spans(made(LONG), other) == [LONG.upper().replace(" ", "\n", 3)]
    assert spans(made(LONG), LONG.replace("blue", "red")) == []


def test_a_number_in_it_is_no_part_of_the_print() -> None:
    assert made(LONG) == made(LONG.replace("47", "12345"))
    assert "47" not in json.dumps(made("a b c d e f g h i 47").as_json()).replace(
        made("a b c d e f g h i 47").digest, ""
    )


def test_a_whole_message_is_known_by_its_beginning_only() -> None:
    message = f"{LONG} and much more that was said there"
    one = made(message, whole=True)
    assert one.words == 12
    assert spans(one, message)
    assert spans(one, f"{LONG} and then something else") != []
    assert spans(one, f"well, {message}") == []


def test_a_print_of_an_earlier_version_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "_COST", COST)
    digest = "9bb73b52daf0db45b499e4d811e097c5"
    row = {"of": "text", "words": 13, "salt": "5a17", "near": "967e", "scrypt": digest}
    known = Fingerprint.from_json(row)
    assert known == made(LONG)
    assert spans(known, f"Listen. {LONG}") == [LONG]


def test_it_is_read_back_as_it_was_written() -> None:
    for whole in (True, False):
        one = made(LONG, whole=whole)
        assert Fingerprint.from_json(json.loads(json.dumps(one.as_json()))) == one


@pytest.mark.parametrize("row", [None, [], {}, {"words": 0}, {"words": "9"}, {"words": 9, "salt": 1}])
def test_what_is_none_is_no_fingerprint(row: object) -> None:
    assert Fingerprint.from_json(row) is None


def test_the_text_does_not_stand_in_it() -> None:
    row = json.dumps(made(LONG).as_json())
    assert not any(word in row for word in ("spare", "key", "pot", "shed"))
