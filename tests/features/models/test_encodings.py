"""Texts become the tokens that llama.cpp makes of them, and counts add up where they are said to."""

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tokens import counter as tokens
from reel_cli.core.tokens.choice import Choice
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.models import encodings
from reel_cli.features.models.encodings import ByteEncoding, CharacterEncoding, cut_out
from reel_cli.features.models.kept_file import StoredEncoding
from reel_cli.features.models.model_file import load_kept
from reel_cli.features.models.nearest import find_nearest
from reel_cli.features.models.rules import _NAMES, LIKELY, RULES, find_rules
from tests.support.gguf_files import (
    BLANK,
    CONTROL,
    OWN,
    Given,
    alphabet,
    as_written,
    by_score,
    byte_pairs,
    texts_of,
    write_gguf,
)

SEPARATOR = "\n__ggml_vocab_test__\n"
VECTORS = ("gpt-2", "llama-bpe", "llama-spm")


@pytest.mark.parametrize("name", VECTORS)
def test_the_ids_are_those_of_llama_cpp(shared_data: Path, name: str) -> None:
    file = shared_data / "gguf" / f"ggml-vocab-{name}.gguf"
    texts = Path(f"{file}.inp").read_text("utf-8").split(SEPARATOR)
    lines = Path(f"{file}.out").read_text("utf-8").split("\n")
    tokenizer = get_tokenizer(str(file))
    expected = [[int(number) for number in line.split()] for line in lines[: len(texts) - 1]]
    assert [tokenizer.ids(text) for text in texts[:-1]] == expected
    assert [tokenizer.count(text) for text in texts[:-1]] == list(map(len, expected))
    # by tiktoken, where there is much to count
    long = "".join(texts) * 60
    assert tokenizer.count(long) == len(tokenizer.ids(long))


def test_what_looks_like_a_control_token_is_plain_text_as_llama_cpp_has_it(tmp_path: Path) -> None:
    """The vocabulary of phi-3 calls </s> a text of its own; llama-cpp-python 0.3.36 counts its letters."""
    entries = by_score()
    types = entries["tokenizer.ggml.token_type"]
    assert isinstance(types, list)
    tokens = texts_of(entries, "tokens")
    owned = [OWN if token in ("<s>", "</s>") else kind for token, kind in zip(tokens, types, strict=True)]
    file = write_gguf(tmp_path / "a.gguf", {**entries, "tokenizer.ggml.token_type": owned})
    tokenizer = get_tokenizer(str(file))
    assert tokens.index("<s>") in tokenizer.ids("a<s>b")
    assert tokens.index("</s>") not in tokenizer.ids("a</s>b")
    # neither is it in what was kept of the file before this was known
    kept = load_kept(str(file)).kept
    assert [text for text, _ in kept.vocabulary.own] == ["<s>", "  "]


def test_texts_are_cut_as_llama_cpp_cuts_them() -> None:
    """By every name of rules; the fixture is what its own code made of these texts (bench/vectors.py)."""
    made = json.loads((Path(__file__).parents[2] / "fixtures" / "pieces.json").read_text("utf-8"))
    named = {name for group in made["rules"] for name in group["names"]}
    assert named == {*RULES, *_NAMES}
    for group in made["rules"]:
        for name in group["names"]:
            rules = find_rules(name)
            assert rules is not None
            assert rules.whole == group["whole"], name
        assert rules is not None
        for text, pieces in zip(made["texts"], group["pieces"], strict=True):
            assert [*map(len, cut_plainly(text, rules.patterns))] == pieces, (name, text)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> StoredEncoding:
    path = write_gguf(tmp_path_factory.mktemp("models") / "pairs.gguf", byte_pairs("unheard-of"))
    return load_kept(str(path)).kept


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> StoredEncoding:
    path = write_gguf(tmp_path_factory.mktemp("models") / "scores.gguf", by_score())
    return load_kept(str(path)).kept


def merge_plainly(written: str) -> list[str]:
    """Byte pairs as they are defined: the best pair that stands there, the leftmost first."""
    parts = list(written)
    while found := [(MERGES[pair], at) for at, pair in enumerate(pairwise(parts)) if pair in MERGES]:
        at = min(found)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


def cut_plainly(text: str, patterns: Sequence[str]) -> list[str]:
    """Pattern after pattern, each on every part apart; what lies between matches is a part as well."""
    parts = [text]
    for pattern in patterns:
        cut: list[str] = []
        for part in parts:
            end = 0
            for match in regex.finditer(pattern, part):
                cut += [part[end : match.start()], match[0]]
                end = match.end()
            cut.append(part[end:])
        parts = [part for part in cut if part]
    return parts


TEXTS = st.one_of(
    st.text("abcdehinrt THe.,'!/012 \n\r\té的🙂ЖяA"),
    st.text(),
    st.sampled_from(["Hello the 123 abc\n\n  and,\n//", "<think>Hello</think>  ", " the" * 9, "12345\n1"]),
)


MERGES = {
    (pair[0], pair[1]): place
    for place, pair in enumerate(merge.split(" ") for merge in texts_of(byte_pairs("any"), "merges"))
}
NAMES = {token: number for number, token in enumerate(texts_of(byte_pairs("any"), "tokens"))}


def encode_plainly(piece: str, *, whole: bool) -> list[int]:
    written = as_written(piece.encode())
    parts = [written] if whole and written in NAMES else merge_plainly(written)
    return [NAMES[part] for part in parts]


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, name=st.sampled_from([name for name in RULES if name != "gemma4"]))
def test_pieces_are_cut_and_merged_as_they_are_defined(pairs: StoredEncoding, text: str, name: str) -> None:
    rules = RULES[name]
    expected: list[int] = []
    for place, between in enumerate(tokens.without_surrogates(text).split("<think>")):
        expected += [NAMES["<think>"]] if place else []
        for piece in cut_plainly(between, rules.patterns):
            expected += encode_plainly(piece, whole=rules.whole)
    for work_left in (1 << 60, 0):
        encoding = ByteEncoding(name, pairs.vocabulary, rules)
        encoding._work_left = work_left
        assert encoding.ids(text) == expected
        assert encoding.count(text) == len(expected)


UNITS = st.tuples(
    st.text("aHT1'’.-#*é的\u0301🙂<", min_size=1, max_size=3),
    st.text("ab THe.,'!/012 \n\r\té的"),
    st.sampled_from(
        ["\n", "\r\n", "\n\n", " \n", "/\n", ".\n", "\n \n\n", "'\n", "\t\n", "<think>\n", "1\n"]
    ),
).map("".join)


@settings(max_examples=60, deadline=None)
@given(units=st.lists(UNITS, min_size=2, max_size=5))
def test_counts_of_units_add_up_where_it_is_said(
    pairs: StoredEncoding, scores: StoredEncoding, units: list[str]
) -> None:
    additive = [name for name, rules in RULES.items() if rules.additive and name != "gemma4"]
    assert len(additive) > 8
    for name in additive:
        encoding = ByteEncoding(name, pairs.vocabulary, RULES[name])
        assert encoding.additive
        assert sum(map(encoding.count, units)) == encoding.count("".join(units))
    lines = CharacterEncoding("lines", scores.vocabulary._replace(prefix=False), RULES["gemma4"])
    assert lines.additive
    assert sum(map(lines.count, units)) == lines.count("".join(units))


def test_where_they_do_not_it_is_said_as_well(pairs: StoredEncoding, scores: StoredEncoding) -> None:
    for name in ("gpt-2", "starcoder", "falcon", "default"):
        encoding = ByteEncoding(name, pairs.vocabulary, RULES[name])
        assert not encoding.additive
        assert encoding.count("a\n\n") + encoding.count("b\n") != encoding.count("a\n\nb\n")
    characters = CharacterEncoding("scores", scores.vocabulary, None)
    assert not characters.additive
    assert characters.count("nd\n") * 2 != characters.count("nd\nnd\n")
    torn = pairs.vocabulary._replace(own=(("\n#", 7),))
    assert not ByteEncoding("llama-bpe", torn, RULES["llama-bpe"]).additive


@pytest.mark.parametrize("name", ["gpt-2", "llama-bpe", "deepseek-coder"])
def test_a_long_text_is_cut_where_it_makes_no_difference(
    pairs: StoredEncoding, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Hello the 12  \n \n  and\r\n\r\n\tabc //\n/in\n'er\n" * 9
    whole = ByteEncoding(name, pairs.vocabulary, RULES[name]).ids(text)
    monkeypatch.setattr(tokens, "_STRETCH", 16)
    assert ByteEncoding(name, pairs.vocabulary, RULES[name]).ids(text) == whole


def test_a_word_without_end_is_merged_a_stretch_at_a_time(
    scores: StoredEncoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary = scores.vocabulary._replace(apart=False)
    for text in ("thenand" * 60, "the and\nhand " * 30, "\n" * 99):
        whole = CharacterEncoding("scores", vocabulary, None).ids(text)
        with monkeypatch.context() as patch:
            patch.setattr(encodings, "LONGEST_MERGED", 50)
            cut = CharacterEncoding("scores", vocabulary, None).ids(text)
        assert written(cut) == written(whole)
        assert len(whole) <= len(cut) <= len(whole) + len(text) // 45


def written(ids: Sequence[int]) -> str:
    names = {number: token for token, number in SCORED.items()}
    return "".join(names[number] for number in ids)


SCORED = {token: number for number, token in enumerate(texts_of(by_score(), "tokens"))}
SCORES = [0.0] * 259 + [-float(place // 2) for place in range(len(SCORED) - 259)]


def score_plainly(text: str) -> list[int]:
    """The pair of the best score that stands there, the leftmost first; then bytes for what is no token."""
    parts = list(text)
    while found := [
        (-SCORES[SCORED[left + right]], at)
        for at, (left, right) in enumerate(pairwise(parts))
        if left + right in SCORED
    ]:
        at = min(found)[1]
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    ids: list[int] = []
    for part in parts:
        ids += [SCORED[part]] if part in SCORED else [SCORED[f"<0x{byte:02X}>"] for byte in part.encode()]
    return ids


@settings(max_examples=80, deadline=None)
@given(text=st.one_of(st.text("abcdehnt  \n的"), st.text()), prefix=st.booleans())
def test_characters_merge_by_score_and_fall_back_on_bytes(
    scores: StoredEncoding, text: str, *, prefix: bool
) -> None:
    expected: list[int] = []
    for place, part in enumerate(text.split("  ")):
        expected += [SCORED["  "]] if place else []
        if part:
            expected += score_plainly((f" {part}" if prefix else part).replace(" ", BLANK))
    encoding = CharacterEncoding("scores", scores.vocabulary._replace(prefix=prefix), None)
    assert encoding.ids(text) == expected
    assert encoding.count(text) == len(expected)


def test_a_word_without_end_is_merged_in_good_time(scores: StoredEncoding) -> None:
    encoding = CharacterEncoding("scores", scores.vocabulary, None)
    assert encoding.count("ab" * 20_000) == 20_001
    assert not encoding._known


def test_the_longest_text_of_its_own_is_found_first() -> None:
    own = (("bcde", 4), ("aab", 3), ("b", 1))
    assert cut_out("aabcdeb-aab", own) == ["aa", 4, 1, "-", 3]
    assert cut_out("", own) == []


def test_neither_order_nor_twins_of_tokens_matter(tmp_path: Path) -> None:
    """Merges say what comes first, not numbers; a token that stands there twice has its last number."""
    entries = byte_pairs("gpt-2")
    given = texts_of(entries, "tokens")
    kinds = [1] * (len(given) - 2) + [OWN, CONTROL]
    turned: dict[str, Given] = {
        **entries,
        "tokenizer.ggml.tokens": [*given[::-1], "Hello"],
        "tokenizer.ggml.token_type": [*kinds[::-1], 1],
    }
    usual = get_tokenizer(str(write_gguf(tmp_path / "usual.gguf", entries)))
    other = get_tokenizer(str(write_gguf(tmp_path / "turned.gguf", turned)))
    text = " Hello the and 123 ing"
    last = len(given) - 1
    assert other.ids(text) == [last - number for number in usual.ids(text)]
    assert other.ids("Hello") == [len(given)]


def test_a_byte_that_is_no_token_comes_to_nothing(tmp_path: Path) -> None:
    entries = byte_pairs("gpt-2")
    given = texts_of(entries, "tokens")
    given[ord("z")] = "[gone]"
    path = write_gguf(tmp_path / "m.gguf", {**entries, "tokenizer.ggml.tokens": given})
    tokenizer = get_tokenizer(str(path))
    assert tokenizer.ids("zaz") == [given.index("a")]
    assert tokenizer.count("zaz") == 1


def test_what_is_a_token_only_whole(tmp_path: Path) -> None:
    """Rules that say so take a piece for the token it is; others merge it, whatever there is."""
    for pre, expected in (("llama-bpe", 1), ("qwen2", 3)):
        entries = byte_pairs(pre)
        given = texts_of(entries, "tokens")
        kinds = [1] * (len(given) - 2) + [OWN, CONTROL]
        more: dict[str, Given] = {
            "tokenizer.ggml.tokens": [*given, "qux"],
            "tokenizer.ggml.token_type": [*kinds, 1],
        }
        tokenizer = get_tokenizer(str(write_gguf(tmp_path / f"{pre}.gguf", {**entries, **more})))
        assert (tokenizer.count("qux"), tokenizer.count("qux Hello")) == (expected, expected + 1)


def test_a_token_that_merging_never_reaches(tmp_path: Path) -> None:
    """Where tokens may come about in several ways, some never do but by being looked for first."""
    letters, made = alphabet(), ["bc", "ab", "cd", "abcd"]
    counts = {}
    for pre in ("llama-bpe", "qwen2"):
        more: dict[str, Given] = {
            "tokenizer.ggml.tokens": [*letters, *made],
            "tokenizer.ggml.token_type": [1] * (len(letters) + len(made)),
            "tokenizer.ggml.merges": ["b c", "a b", "c d", "ab cd", "ab cd"],
        }
        tokenizer = get_tokenizer(str(write_gguf(tmp_path / f"{pre}.gguf", {**byte_pairs(pre), **more})))
        counts[pre] = (tokenizer.count("abcd"), tokenizer.count("abcd" * 200), tokenizer.count("bc"))
    assert counts == {"llama-bpe": (1, 600, 1), "qwen2": (3, 600, 1)}


def test_gemma_4_keeps_lines_and_blanks(tmp_path: Path) -> None:
    words = [f"{BLANK}a", "ab", "\n", "\n\n", "a", "b", BLANK]
    entries: dict[str, Given] = {
        "tokenizer.ggml.model": "gemma4",
        "tokenizer.ggml.tokens": ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *words, "<x>"],
        "tokenizer.ggml.token_type": [2, *[6] * 256, *[1] * len(words), OWN],
        "tokenizer.ggml.merges": [f"{BLANK} a", "a b"],
    }
    tokenizer = get_tokenizer(str(write_gguf(tmp_path / "m.gguf", entries)))
    at = {word: 257 + place for place, word in enumerate([*words, "<x>"])}
    assert tokenizer.ids("ab a\n\nb\n\n\n") == [
        *(at["ab"], at[f"{BLANK}a"], at["\n\n"], at["b"], at["\n"], at["\n"], at["\n"])
    ]
    assert tokenizer.ids("<x>é") == [at["<x>"], 1 + 0xC3, 1 + 0xA9]


@pytest.mark.parametrize("name", ["gpt-2", "llama-bpe"])
def test_the_nearest_rules_are_told_by_the_vocabulary(shared_data: Path, name: str) -> None:
    kept = load_kept(str(shared_data / "gguf" / f"ggml-vocab-{name}.gguf")).kept
    assert find_nearest(kept.vocabulary) == (name, 500)


def test_every_likely_set_of_rules_is_known() -> None:
    assert set(LIKELY) <= set(RULES)
    assert find_rules("phi-2") is RULES["gpt-2"]
    assert find_rules("nothing-like-it") is None


@pytest.mark.parametrize(
    "choice",
    [
        Choice("o200k_base"),
        Choice("o200k_base", margin=1_000),
        Choice("/models/a like b +3%.gguf", "llama-bpe", 800),
        Choice("~/m.gguf", "qwen2", 250),
    ],
)
def test_a_choice_is_read_back(choice: Choice) -> None:
    from reel_cli.core.tokens.choice import parse_choice

    assert parse_choice(str(choice)) == choice
