"""The shipped rank tables are the published ones, and pieces merge in them as tiktoken merges them."""

import base64
import hashlib
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reel_cli
from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.byte_pairs import RankTable
from reel_cli.core.tokens.counter import KNOWN

if TYPE_CHECKING:
    import tiktoken

CHECKOUT = Path(__file__).resolve().parents[3]
DATA = Path(reel_cli.__file__).parent / "data"
TABLES = {name: RankTable(DATA / f"{name}.ranks") for name in KNOWN}

# as tiktoken's own source has them
PUBLISHED = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


def render_tiktoken(table: RankTable) -> bytes:
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(table))


def make_ranks(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, CHECKOUT / "tools" / "make_ranks.py", source, out],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(CHECKOUT)},
    )


@pytest.fixture(scope="module")
def encodings() -> "dict[str, tiktoken.Encoding]":
    """Tiktoken's merging alone, without the cutting of texts into pieces."""
    import tiktoken

    return {
        name: tiktoken.Encoding(
            name,
            pat_str=r"[\s\S]+",
            mergeable_ranks={token: rank for rank, token in enumerate(table)},
            special_tokens={},
        )
        for name, table in TABLES.items()
    }


@pytest.mark.wheel
@pytest.mark.parametrize("name", KNOWN)
def test_the_shipped_table_is_the_published_one_byte_for_byte(name: str) -> None:
    assert hashlib.sha256(render_tiktoken(TABLES[name])).hexdigest() == PUBLISHED[name]


@pytest.mark.parametrize("name", KNOWN)
def test_the_tool_makes_the_shipped_table(name: str, tmp_path: Path) -> None:
    source, out = tmp_path / "source.tiktoken", tmp_path / "out.ranks"
    source.write_bytes(render_tiktoken(TABLES[name]))
    assert make_ranks(source, out).stderr == ""
    assert out.read_bytes() == (DATA / f"{name}.ranks").read_bytes()


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("IQ== 0\nIg== 2\n", "the ranks do not count up from 0"),
        ("IQ== 0\nIQ== 1\n", "a token stands there twice"),
    ],
)
def test_the_tool_refuses_what_it_cannot_hold(source: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "source.tiktoken").write_text(source)
    done = make_ranks(tmp_path / "source.tiktoken", tmp_path / "out.ranks")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, f"ValueError: {complaint}")
    assert not (tmp_path / "out.ranks").exists()


@pytest.mark.wheel
@pytest.mark.parametrize("name", KNOWN)
def test_every_token_has_its_rank(name: str) -> None:
    table = TABLES[name]
    assert [table.rank(token) for token in table] == list(range(len(table)))


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_no_token_has_no_rank(name: str) -> None:
    table = TABLES[name]
    tokens = list(table)
    dice = random.Random(5)  # noqa: S311 (nothing secret)
    strangers = {dice.randbytes(dice.randrange(2, 9)) for _ in range(20_000)}
    strangers |= {token + b"\xff" for token in tokens[:20_000]}
    strangers |= {b"", b"\x00" * 40, b"never a token"}
    assert {table.rank(stranger) for stranger in strangers - set(tokens)} == {None}


@settings(max_examples=100, deadline=None)
@given(
    piece=st.one_of(
        st.binary(min_size=1, max_size=60),
        st.text(min_size=1, max_size=60).map(str.encode),
        st.text("abcdeinrst", min_size=1, max_size=200).map(str.encode),
        st.builds(
            lambda unit, times: str.encode(unit * times),
            st.sampled_from(["a", "ha", " ", "\n", "-", "=", "好", "\u0301", "🙂"]),
            st.integers(1, 400),
        ),
    )
)
def test_a_piece_merges_as_in_tiktoken(encodings: "dict[str, tiktoken.Encoding]", piece: bytes) -> None:
    expected = {name: len(encoding._encode_single_piece(piece)) for name, encoding in encodings.items()}
    assert {name: table.count(piece) for name, table in TABLES.items()} == expected


def test_nothing_is_no_token() -> None:
    assert {table.count(b"") for table in TABLES.values()} == {0}


@pytest.mark.parametrize("length", [0, 10, 20_000, -1])
def test_a_damaged_table_is_told_in_one_sentence(length: int, tmp_path: Path) -> None:
    damaged = tmp_path / "o200k_base.ranks"
    damaged.write_bytes((DATA / "o200k_base.ranks").read_bytes()[:length])
    with pytest.raises(ReelError) as told:
        RankTable(damaged)
    assert told.value.message == "The token table o200k_base.ranks is missing or damaged."
    assert told.value.hint == "install reel again"


def test_a_table_of_another_make_is_not_read(tmp_path: Path) -> None:
    other = tmp_path / "other.ranks"
    other.write_bytes(b"REELBPE9" + (DATA / "cl100k_base.ranks").read_bytes()[8:])
    with pytest.raises(ReelError, match=r"other\.ranks is missing or damaged"):
        RankTable(other)


def test_a_missing_table_is_told_likewise(tmp_path: Path) -> None:
    with pytest.raises(ReelError, match=r"none\.ranks is missing or damaged"):
        RankTable(tmp_path / "none.ranks")
