"""The shipped rank tables are the published ones, and our merging is tiktoken's."""

import base64
import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.bpe import RankTable
from reel_cli.errors import ReelError
from reel_cli.tokens import KNOWN

CHECKOUT = Path(__file__).resolve().parents[1]
DATA = CHECKOUT / "reel_cli" / "data"

PUBLISHED = {
    # as tiktoken_ext/openai_public.py has them
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


def render_tiktoken(table: RankTable) -> bytes:
    return b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(table))


@pytest.fixture(scope="module", params=KNOWN)
def table(request: pytest.FixtureRequest) -> RankTable:
    return RankTable(DATA / f"{request.param}.ranks")


@pytest.mark.parametrize("name", KNOWN)
def test_the_shipped_table_is_the_published_one_byte_for_byte(name: str) -> None:
    text = render_tiktoken(RankTable(DATA / f"{name}.ranks"))
    assert hashlib.sha256(text).hexdigest() == PUBLISHED[name]


@pytest.mark.parametrize("name", KNOWN)
def test_the_tool_makes_the_shipped_table(name: str, tmp_path: Path) -> None:
    shipped = DATA / f"{name}.ranks"
    source, out = tmp_path / "source.tiktoken", tmp_path / "out.ranks"
    source.write_bytes(render_tiktoken(RankTable(shipped)))
    subprocess.run(
        [sys.executable, CHECKOUT / "tools" / "make_ranks.py", source, out],
        check=True,
        env={"PYTHONPATH": str(CHECKOUT)},
    )
    assert out.read_bytes() == shipped.read_bytes()


def test_every_token_has_its_rank(table: RankTable) -> None:
    assert [table.rank(token) for token in table] == list(range(len(table)))


def test_what_is_no_token_has_no_rank(table: RankTable) -> None:
    tokens = set(table)
    dice = random.Random(5)  # noqa: S311 (no secret)
    strangers = {dice.randbytes(dice.randrange(2, 9)) for _ in range(20_000)} - tokens
    strangers |= {token + b"\xff" for token in list(tokens)[:20_000]} - tokens
    strangers |= {b"", b"\x00" * 40, b"never a token"}
    assert {table.rank(stranger) for stranger in strangers} == {None}


def test_no_byte_is_no_token(table: RankTable) -> None:
    assert table.count(b"") == 0


@settings(max_examples=150, deadline=None)
@given(
    piece=st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(str.encode),
        st.text("abcdeinrst", max_size=200).map(str.encode),
        st.builds(lambda unit, times: unit * times, st.sampled_from([b"a", b" ", b"-", b"ha", "好".encode()]), st.integers(1, 400)),
    )
)
def test_a_piece_merges_as_tiktoken_merges_it(piece: bytes) -> None:
    import tiktoken

    for name in KNOWN:
        table, tiktokens = RankTable(DATA / f"{name}.ranks"), ENCODINGS.setdefault(name, None)
