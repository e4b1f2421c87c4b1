"""Make the compact rank table that `core/tokens/byte_pairs.py` maps, from a rank file of tiktoken's.

    python tools/make_ranks.py o200k_base.tiktoken reel_cli/data/o200k_base.ranks

The same source gives the same bytes. `tests/core/tokens/test_bpe.py` turns the shipped tables back into the
published files and compares their hashes, so a table never needs to be taken on trust.
"""

import argparse
import base64
from pathlib import Path

from reel_cli.core.tokens.byte_pairs import render_ranks


def parse_tiktoken(source: bytes) -> list[bytes]:
    """The tokens of a published file, in order; its lines are `base64 rank`, with ranks counting up from 0.

    Raises:
        ValueError: a line is not of that form, or a token stands there twice.
    """
    lines = [line.split() for line in source.splitlines() if line]
    if [int(rank) for _, rank in lines] != list(range(len(lines))):
        message = "the ranks do not count up from 0"
        raise ValueError(message)
    tokens = [base64.b64decode(token, validate=True) for token, _ in lines]
    if len(set(tokens)) != len(tokens):
        message = "a token stands there twice"
        raise ValueError(message)
    return tokens


def main() -> None:
    """Read one file, write the other."""
    parser = argparse.ArgumentParser(description="Make a rank table from a published .tiktoken file.")
    parser.add_argument("source", type=Path, help="a .tiktoken file")
    parser.add_argument("out", type=Path, help="the .ranks file to write")
    arguments = parser.parse_args()
    arguments.out.write_bytes(render_ranks(parse_tiktoken(arguments.source.read_bytes())))


if __name__ == "__main__":
    main()
