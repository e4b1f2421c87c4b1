"""Counts are tiktoken's, whichever way they are reached, and add up where they are said to."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reel_cli
from reel_cli.core.errors import ReelError
from reel_cli.core.tokens import counter as tokens
from reel_cli.core.tokens.byte_pairs import RankTable
from reel_cli.core.tokens.counter import KNOWN, Tokenizer, get_tokenizer

if TYPE_CHECKING:
    import tiktoken

CHECKOUT = Path(__file__).resolve().parents[3]
PACKAGE = Path(reel_cli.__file__).parent
ENDLESS = 1 << 60
"""Work no test does: with so much left, a tokenizer never loads tiktoken on its own account."""


def load_from_table(name: str) -> tokens._PublishedEncoding:
    """One that uses the table alone, wherever it can."""
    tokenizer = tokens._PublishedEncoding(name)
    tokenizer._work_left = ENDLESS
    return tokenizer


def is_loaded(tokenizer: tokens._PublishedEncoding) -> bool:
    return "_tiktoken" in vars(tokenizer)


@pytest.fixture(scope="module")
def authorities() -> "dict[str, tiktoken.Encoding]":
    """The encodings as tiktoken's own source describes them; only the download is replaced.

    The ranks come from the shipped tables, which test_bpe.py proves to be the published ones.
    """
    import tiktoken
    from tiktoken_ext import openai_public as published  # type: ignore[import-untyped]

    def load(url: str, **_: str) -> dict[bytes, int]:
        table = RankTable(PACKAGE / "data" / f"{Path(url).stem}.ranks")
        return {token: rank for rank, token in enumerate(table)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "load_tiktoken_bpe", load)
        return {name: tiktoken.Encoding(**published.ENCODING_CONSTRUCTORS[name]()) for name in KNOWN}


def without_unsettled(text: str) -> str:
    """Return the part of `text` that the table alone can count."""
    return text.translate(dict.fromkeys(map(ord, tokens.find_all(tokens._UNSETTLED)(text))))


@pytest.fixture(scope="module")
def ours() -> dict[str, tokens._PublishedEncoding]:
    return {name: load_from_table(name) for name in KNOWN}


SCRIPTS = st.one_of(
    st.text(),
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ '’.,;!?-\n"),
    st.text("aAzZſKéÉßøŁłǅǈʰªºʕ'sStTmMdDlLvVrReE0189٣²½Ⅷ "),
    st.text(" \t\n\r\f\v\x1c\x85\xa0\u2003\u2028\u3000/a.'"),
    st.text("的一是不了人我在有他这，。！？「」 ぁあカヶー한국어\n"),
    st.text("กขคงจะาิีึ่้๊ ऄअआक़ािीّٓابتث\u0301\u200d\ufe0f🙂👩🏽🚀❤🇳🇴"),
    st.text(st.characters(codec=None, categories=["Cs", "Ll", "Zs"])),
    st.sampled_from(
        [
            "def f(x: int) -> str:\n    return f'{x!r}'  # it's\n\n\n",
            "<|endoftext|><|fim_prefix|> <|endofprompt|>",
            "https://example.org/a//b/?q=1&r=%20\n//\n/\n",
            "\u202e\ufeff\u200b\ufffd\x00\x1b[31m",
            "1234567 12 3.14159 ١٢٣ 1e-9",
        ]
    ),
)
RUNS = st.builds(
    lambda unit, times: unit * times,
    st.sampled_from(
        [" ", "\n", "\r\n", "\t", " \n", "a", "A", "好", "-", "/", "\n/", "'s", "0", "é", "\u0301", "🙂"]
    ),
    st.integers(1, 300),
)
TEXTS = st.lists(st.one_of(SCRIPTS, RUNS), max_size=6).map("".join)


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_counts_are_those_of_tiktoken(
    authorities: "dict[str, tiktoken.Encoding]", ours: dict[str, tokens._PublishedEncoding], text: str
) -> None:
    for name in KNOWN:
        ours[name]._work_left = ENDLESS
        settled = without_unsettled(text)
        assert ours[name].count(settled) == len(authorities[name].encode_ordinary(settled))


PLAIN = "".join(map(chr, range(0x20, 0x7F))) + "\t\n\r‘’“”–—…"


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(PLAIN), st.text("aZ09 '’sTl\n\r\t/.-"), TEXTS))
def test_a_plain_text_is_cut_as_the_published_pattern_cuts_it(text: str) -> None:
    for name in KNOWN:
        ours = load_from_table(name)
        assert isinstance(ours, tokens._PublishedEncoding)
        assert ours._cut(text) == ours._find_pieces(text)


def read_turns(shared_data: Path) -> Iterator[str]:
    for item in json.loads((shared_data / "locomo" / "dev.json").read_text("utf-8")):
        for value in item["conversation"].values():
            if isinstance(value, list):
                yield from (turn["text"] for turn in value)
    for file in sorted((shared_data / "realmem").glob("*.json")):
        yield from read_strings(json.loads(file.read_text("utf-8")))


def read_strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from read_strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from read_strings(item)


@pytest.mark.parametrize("name", KNOWN)
def test_real_conversations_count_as_in_tiktoken(
    authorities: "dict[str, tiktoken.Encoding]", shared_data: Path, name: str
) -> None:
    tokenizer = load_from_table(name)
    texts = sorted({text for text in read_turns(shared_data) if len(text) > 30})[::3]
    assert len(texts) > 3_000
    expected = [len(authorities[name].encode_ordinary(text)) for text in texts]
    assert [tokenizer.count(text) for text in texts] == expected
    assert not is_loaded(tokenizer)
    tokenizer._work_left = 0
    tokenizer._counts.clear()
    assert [tokenizer.count(text) for text in texts] == expected


def test_the_patterns_are_the_published_ones(authorities: "dict[str, tiktoken.Encoding]") -> None:
    assert {name: authorities[name]._pat_str for name in KNOWN} == tokens._PATTERNS


@pytest.fixture(scope="module")
def settled() -> str:
    """Every character there is, but for those that are left to tiktoken."""
    every = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
    return without_unsettled(every)


@pytest.mark.parametrize(
    "class_",
    [
        *(rf"\p{{{letters}}}" for letters in ["L", "N", "M", "Lu", "Lt", "Lm", "Lo", "Ll"]),
        r"\s",
        "(?i:[sdmtlvre])",
    ],
)
def test_regex_and_tiktoken_agree_on_every_settled_character(settled: str, class_: str) -> None:
    import tiktoken

    # tokens are bytes here, and what the pattern does not match is left out
    singles = {bytes([byte]): byte for byte in range(256)}
    bytewise = tiktoken.Encoding("bytes", pat_str=class_, mergeable_ranks=singles, special_tokens={})
    matched = bytes(bytewise.encode_ordinary(settled)).decode()
    assert "".join(tokens.find_all(class_)(settled)) == matched


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("text", ["ʕ•ᴥ•ʔ", "a\U0001e5d0b", "\U000323b0\U000323b1", "\u0378"])
def test_letters_too_young_to_be_sure_of_are_left_to_tiktoken(
    authorities: "dict[str, tiktoken.Encoding]", name: str, text: str
) -> None:
    tokenizer = load_from_table(name)
    assert tokenizer.count(text) == len(authorities[name].encode_ordinary(text))
    assert is_loaded(tokenizer)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize(
    "text",
    [
        "\ud83d\ude42",
        "\ud83d",
        "a\udc00b\n\ude42\ud83d\n",
        "\ufeff\ud800",
        "fine \ud83d\ude42 fine\udfff" * 9,
    ],
)
@pytest.mark.parametrize("work_left", [0, ENDLESS])
def test_surrogates_count_as_in_tiktoken(
    authorities: "dict[str, tiktoken.Encoding]", name: str, text: str, work_left: int
) -> None:
    tokenizer = tokens._PublishedEncoding(name)
    tokenizer._work_left = work_left
    assert tokenizer.count(text) == len(authorities[name].encode_ordinary(text))
    assert is_loaded(tokenizer) == (work_left == 0)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("unit", ["a", "好", "-", " ", "\n/"])
def test_runs_without_end_are_counted(
    authorities: "dict[str, tiktoken.Encoding]", name: str, unit: str
) -> None:
    text = f"Well: {unit * (100_000 // len(unit))}x\n"
    assert tokens._PublishedEncoding(name).count(text) == len(authorities[name].encode_ordinary(text))


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize(("blank", "ways"), [(" ", [0, ENDLESS]), ("\u3000", [0])])
def test_blanks_without_end_do_not_kill_the_process(
    authorities: "dict[str, tiktoken.Encoding]",
    capfd: pytest.CaptureFixture[str],
    name: str,
    blank: str,
    ways: Sequence[int],
) -> None:
    blanks = 1_000_000
    exact = (
        len(authorities[name].encode_ordinary("Well"))
        + len(authorities[name]._encode_single_piece(blank * (blanks - 1)))
        + len(authorities[name].encode_ordinary(f"{blank}x"))
    )
    for work_left in ways:
        tokenizer = tokens._PublishedEncoding(name)
        tokenizer._work_left = work_left
        more = tokenizer.count(f"Well{blank * blanks}x") - exact
        assert 0 <= more <= 2 * blanks // tokens._STRETCH
        assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", KNOWN)
def test_long_texts_are_counted_in_stretches_that_add_up(
    authorities: "dict[str, tiktoken.Encoding]", name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "_STRETCH", 16)
    text = "It's late.\n\n/ Two  \n \n  three\r\n\r\n\tfour //\n/five\n'six\n" * 20
    assert len(list(tokens._stretches(text))) > 20
    assert "".join(tokens._stretches(text)) == text
    assert load_from_table(name).count(text) == len(authorities[name].encode_ordinary(text))


UNITS = st.tuples(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("'’.-#*|<{[(\"\\0aA的\u0301🙂\x1c\x00")).filter(
        lambda first: not first.isspace() and first != "/"
    ),
    TEXTS,
    st.sampled_from(
        ["\n", "\r\n", "\n\n", " \n", "/\n", ".\n", "\n/\n", "\n \n\n", "'\n", "\u2028\n", "\t\n"]
    ),
).map("".join)


@settings(max_examples=100, deadline=None)
@given(units=st.lists(UNITS, min_size=2, max_size=5))
def test_counts_of_units_add_up(authorities: "dict[str, tiktoken.Encoding]", units: list[str]) -> None:
    for name in KNOWN:
        count = authorities[name].encode_ordinary
        assert sum(len(count(unit)) for unit in units) == len(count("".join(units)))


ENDINGS = [
    "\n",
    "\n\n",
    "\r\n",
    " \n",
    "a\n",
    ".\n",
    "/\n",
    "/\n\n",
    "1\n",
    "'\n",
    "\u3000\n",
    "\n \n",
    "🙂\n",
]


@pytest.fixture(scope="module")
def firsts(authorities: "dict[str, tiktoken.Encoding]") -> dict[str, dict[str, int]]:
    """Return letters that may stand first after a seam, and their tokens with one letter behind."""
    codes = [*range(0x3100), *range(0xA640, 0xA830), *range(0xFE00, 0x10000), *range(0x1F300, 0x1F700)]
    some = [first for first in map(chr, codes) if not first.isspace() and first != "/"]
    return {
        name: {first: len(authority.encode_ordinary(f"{first}x")) for first in some}
        for name, authority in authorities.items()
    }


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("ending", ENDINGS)
def test_counts_add_up_at_every_seam(
    authorities: "dict[str, tiktoken.Encoding]", firsts: dict[str, dict[str, int]], name: str, ending: str
) -> None:
    count = authorities[name].encode_ordinary
    before = len(count(f"so{ending}"))
    torn = [
        first for first, alone in firsts[name].items() if len(count(f"so{ending}{first}x")) != before + alone
    ]
    assert torn == []


def test_a_slash_is_why_the_rule_names_it() -> None:
    count = get_tokenizer("o200k_base").count
    assert (count("//\n"), count("/y\n"), count("//\n/y\n")) == (1, 2, 4)


def test_the_known_ones_are_named_and_additive() -> None:
    known: list[Tokenizer] = [get_tokenizer(name) for name in KNOWN]
    assert [(tokenizer.name, tokenizer.additive) for tokenizer in known] == [
        ("o200k_base", True),
        ("cl100k_base", True),
    ]


def test_a_tokenizer_is_made_once() -> None:
    assert get_tokenizer("o200k_base") is get_tokenizer("o200k_base")


@pytest.mark.parametrize("name", ["gpt2", "", "../o200k_base", "o200k_base\x1b[2J"])
def test_an_unknown_name_is_told_with_the_known_ones(name: str) -> None:
    with pytest.raises(ReelError) as told:
        get_tokenizer(name)
    assert told.value.message == f"There is no tokenizer called {name!r}."
    assert told.value.hint == "the ones there are: o200k_base, cl100k_base, or your model's own file (.gguf)"


def run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=CHECKOUT
    )
    return done.stdout.strip()


def test_a_few_pages_load_neither_tiktoken_nor_an_encoding() -> None:
    code = (
        "import sys; from reel_cli.core.tokens.counter import get_tokenizer\n"
        "before = 'regex' in sys.modules\n"
        "count = get_tokenizer('o200k_base').count('The harbour sleeps. 🙂\\n' * 400)\n"
        "print(count, before, 'tiktoken' in sys.modules)"
    )
    assert run_python(code) == "2000 False False"


def test_a_line_is_counted_once_and_counts_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tokens._PublishedEncoding(KNOWN[0])
    monkeypatch.setattr(tokens, "_MOST_COUNTS", 10)
    long = "The harbour sleeps.\n" * 200
    lines = [f"{number} boats\n" for number in range(10)]
    first = [tokenizer.count(text) for text in (long, *lines)]
    work = tokenizer._work_left
    assert [tokenizer.count(text) for text in lines] == first[1:]
    assert tokenizer._work_left == work
    assert tokenizer.count(long) == first[0]
    assert tokenizer._work_left < work
    assert tokenizer.count("another\n") == 2
    assert list(tokenizer._counts) == ["another\n"]


@pytest.mark.parametrize("name", KNOWN)
def test_a_large_text_goes_to_tiktoken_at_once(name: str) -> None:
    tokenizer = tokens._PublishedEncoding(name)
    tokenizer.count("The harbour sleeps.\n" * 100_000)
    assert (is_loaded(tokenizer), tokenizer._pieces) == (True, {})


@pytest.mark.parametrize("name", KNOWN)
def test_many_small_texts_tip_over_to_tiktoken(name: str) -> None:
    tokenizer = tokens._PublishedEncoding(name)
    page = "The harbour sleeps. 🙂\n" * 1_000
    first = tokenizer.count(page)
    assert not is_loaded(tokenizer)
    assert {tokenizer.count(page) for _ in range(100)} == {first}
    assert (is_loaded(tokenizer), tokenizer._pieces) == (True, {})


@pytest.mark.parametrize("name", KNOWN)
def test_work_that_is_hard_tips_over_sooner(name: str) -> None:
    tokenizer = tokens._PublishedEncoding(name)
    words = "".join(f"{number * 7919:b} ".translate({48: "vj", 49: "wy"}) for number in range(6_000))
    assert len(words) < tokenizer._work_left // 2
    tokenizer.count(words)
    assert is_loaded(tokenizer)
