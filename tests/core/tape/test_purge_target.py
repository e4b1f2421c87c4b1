import json
import random
import time
import unicodedata

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.readings import MOST_WAYS, is_sealed, readings
from reel_cli.core.tape.erasure import target as unsaying
from reel_cli.core.tape.erasure.target import PurgeTarget, is_too_short
from reel_cli.core.values.talk import PURGED

WORDS = st.text(
    alphabet=st.sampled_from("abcXYZ019éöẞßñ漢字🚢ệ -'\"\\/<>&:#.,\u0301"), min_size=1, max_size=12
)


def gone(text: str, wanted: str, *, any_case: bool = False) -> str:
    return PurgeTarget((wanted,), any_case).replace(text)[0]


@pytest.mark.parametrize(
    ("text", "wanted", "left"),
    [
        ("my number is 040 123.", "040 123", f"my number is {PURGED}."),
        ("040\n123 and 040 \t123", "040 123", f"{PURGED} and {PURGED}"),
        ("> call 040\n> 123 now", "040 123", f"> call {PURGED} now"),
        ("xhunter2y", "hunter2", f"x{PURGED}y"),
        ("Hunter2", "hunter2", "Hunter2"),
        (r'{"a": "line\nnone"}', "none", f'{{"a": "line{PURGED}"}}'.replace("line", "line\\n", 1)),
        (r'{"a": "\none"}', "none", f'{{"a": "{PURGED}"}}'),
        (r"a \\none", "none", rf"a \\{PURGED}"),
        ("caf\\u00e9 caf\\xe9 caf\\U000000E9", "café", f"{PURGED} {PURGED} {PURGED}"),
        ("\\ud83d\\udea2!", "🚢", f"{PURGED}!"),
        ("a\\u002d\\u002db", "a--b", PURGED),
        ("it''s so", "it's so", PURGED),
        ("nothing of it", "everything", "nothing of it"),
    ],
)
def test_however_it_is_written_the_mark_stands_in_its_place(text: str, wanted: str, left: str) -> None:
    assert gone(text, wanted) == left


def test_any_case_is_asked_for() -> None:
    assert gone("Hunter2 HUNTER2", "hunter2", any_case=True) == f"{PURGED} {PURGED}"


def test_digits_within_a_hash_are_nobody_s_number() -> None:
    digest = "aa4711bbaa4711bbaa4711bbaa4711bb"
    assert gone(f"was={digest} pin 4711", "4711") == f"was={digest} pin {PURGED}"
    assert gone(f"key {digest}", digest) == f"key {PURGED}"


def test_what_went_is_counted_in_bytes() -> None:
    assert PurgeTarget(("café",)).replace("café, cafe\u0301") == (f"{PURGED}, {PURGED}", 5 + 6)


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    assert PurgeTarget(("secret",)).replace_bytes(b"\xff\x00secret\xfe") == (
        b"\xff\x00" + PURGED.encode() + b"\xfe",
        6,
    )
    assert PurgeTarget(("secret",)).replace_bytes(b"\xff\x00") == (b"\xff\x00", 0)


def test_a_backslash_that_begins_a_word_is_found_before_white_space() -> None:
    assert PurgeTarget(("so \\",)).replace("a: so \\ .so\n") == (f"a: {PURGED} .so\n", 4)


def test_lines_are_those_on_which_it_begins() -> None:
    assert PurgeTarget(("a b",)).lines("x\na\nb a b\n\na b") == [2, 3, 5]


@pytest.mark.parametrize(
    ("text", "short"),
    [("a", True), ("Bo", True), ("Ann", False), ("李华", False), ("é", True), (" a b ", True)],
)
def test_what_would_stand_in_every_other_word_is_too_short(text: str, *, short: bool) -> None:
    assert is_too_short(text) is short


@settings(max_examples=100, deadline=None)
@given(before=WORDS, wanted=WORDS, after=WORDS)
@example(before="00000000ééệ", wanted="0 >", after="0")
def test_in_each_form_it_is_found_and_the_rest_stays(before: str, wanted: str, after: str) -> None:
    wanted = unicodedata.normalize("NFC", " ".join(wanted.split()))
    if len(wanted) < 2 or wanted in PURGED or unicodedata.combining(wanted[0]):
        return
    one = PurgeTarget((wanted,))
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, f"{before}. {wanted} .{after}")
        for ascii_only in (True, False):
            assert one.stands_in(json.dumps(text, ensure_ascii=ascii_only))
            dumped = yaml.safe_dump({"a": text}, allow_unicode=not ascii_only, width=20)
            assert one.stands_in(dumped), dumped
        left, count = one.replace(text)
        assert count
        assert not one.stands_in(left) or PURGED[0] in wanted


@pytest.mark.parametrize("text", ["a" + " " * 200_000, "\\" * 100_000, "> \n" * 60_000, "ab " * 60_000])
def test_no_text_takes_it_long(text: str) -> None:
    began = time.process_time()
    PurgeTarget(("ab > cd", "\\\\x", "a\\ b")).replace(text)
    assert time.process_time() - began < 5


def test_of_several_texts_each_is_found_also_where_they_overlap() -> None:
    one = PurgeTarget(("alpha beta gamma", "gamma delta", "beta"))
    assert one.replace("alpha beta gamma delta; beta") == (
        f"{PURGED}{PURGED}; {PURGED}",
        16 + 6 + 4,
    )


def test_hundreds_of_long_texts_are_looked_for_quickly() -> None:
    texts = tuple(" ".join(f"w{(n * 37 + i * i) % 997}x" for i in range(300)) for n in range(300))
    one = PurgeTarget(texts)
    began = time.process_time()
    other = " ".join(f"w{i % 997}x" for i in range(30_000))
    assert not one.stands_in(other)
    assert one.replace(f"so: {texts[7]}.")[0] == f"so: {PURGED}."
    assert time.process_time() - began < 10


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_it_goes_however_text_is_made_of_bytes(encoding: str) -> None:
    data = "Die Zoë und ihr Schlüssel.\n".encode(encoding)
    one = PurgeTarget(("Zoë", "Schlüssel"))
    assert one.stands_in_bytes(data)
    assert one.lines_of_bytes(data) == [1]
    assert one.replace_bytes(data)[0] == f"Die {PURGED} und ihr {PURGED}.\n".encode(encoding)
    assert not is_sealed(data)


@given(st.binary(max_size=60))
@example(b"\xff\xfe\0\xd8a")
@example(b"a\0b\0c")
@example(b"\xff\xfe\0\0\0\0\x11\0")
def test_what_is_read_comes_out_the_same(data: bytes) -> None:
    ways = list(readings(data))
    assert 1 <= len(ways) <= MOST_WAYS
    assert [one.write(one.text) for one in ways] == [data] * len(ways)


@pytest.mark.parametrize(
    "data", [b"%PDF-1.4 plain", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x1f\x8b\x08\xff\x02\xf0"]
)
def test_what_nobody_can_look_into_is_known(data: bytes) -> None:
    assert is_sealed(data)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_many_texts_are_found_where_each_is_found_alone(data: st.DataObject) -> None:
    words = st.sampled_from(
        ["the", "old", "boat", "was", "Perhaps", "it's", "a", "kettle", "né", "\\n", "blue"]
    )
    said = data.draw(
        st.lists(st.lists(words, min_size=3, max_size=14).map(" ".join), min_size=16, max_size=24)
    )
    seam = st.sampled_from([" ", "\n", "  \n\t", "\\n", "\n> ", "x", '"', "'", "\\"])
    parts = data.draw(st.lists(st.one_of(st.sampled_from(said), words), min_size=1, max_size=8))
    text = "".join(part.replace(" ", data.draw(seam)) + data.draw(seam) for part in parts)
    many = PurgeTarget(tuple(said))
    alone = [span for one in said for span in PurgeTarget((one,)).spans(text)]
    spans = list(many.spans(text))
    assert all(any(start <= a and b <= end for start, end in _joined(spans)) for a, b in alone)
    assert all(any(a <= start < b for a, b in _joined(alone)) for start, _ in spans)
    assert many.may_stand_in_bytes(text.encode()) or not alone
    left = many.replace(text)[0]
    assert not any(PurgeTarget((one,)).stands_in(left) for one in said)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that touch, as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def test_a_long_conversation_is_looked_for_in_one_walk_through_the_text() -> None:
    rng = random.Random(1)  # noqa: S311 (a seeded draw)
    words = ["".join(rng.choices("abcdefghij", k=7)) for _ in range(3000)]
    said = [" ".join(rng.choices(words, k=60)) for _ in range(4000)]
    whole = "\n\n".join(text.replace(" ", "\n", 3) for text in said)
    patterns = unsaying._pattern_of.cache_info().misses
    wanted = PurgeTarget(tuple(said))
    assert len(wanted.lines(whole)) == len(said)
    assert wanted.replace(whole)[0] == "\n\n".join([PURGED] * len(said))
    assert unsaying._pattern_of.cache_info().misses == patterns
