"""Tokens by models' files against llama.cpp's own vectors, and texts cut as its own code cuts them.

python bench/vectors.py MODELS [--source SRC] [--write] [--pieces]

MODELS: the folder of llama.cpp's `ggml-vocab-*.gguf` with `.inp` and `.out` (llama.cpp/models; also in the
sdist of llama-cpp-python, below vendor/llama.cpp). SRC: its folder `src`; what cuts texts there is compiled
(g++) and driven by made-up texts, by every name of rules. --write: results-vectors.md. --pieces: the fixture
of tests/features/models/test_encodings.py, made anew.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from llama_cuts import Cutter, compare_cuts, render_pieces

from reel_cli.core.errors import ReelError
from reel_cli.core.tokens.counter import get_tokenizer

BETWEEN = "\n__ggml_vocab_test__\n"
RESULTS = HERE / "results-vectors.md"
PIECES = HERE.parent / "tests" / "fixtures" / "pieces.json"


class Row(NamedTuple):
    file: str
    what: str
    equal: str = ""
    seconds: str = ""


def check_file(file: Path) -> Row:
    name = file.stem.removeprefix("ggml-vocab-")
    began = time.process_time()
    try:
        tokenizer = get_tokenizer(str(file))
        tokenizer.count("x")
    except ReelError as error:
        return Row(name, f"refused: {error.message.partition('. ')[2] or error.message}")
    took = f"{time.process_time() - began:.2f}"
    given = Path(f"{file}.inp")
    if not given.exists():
        return Row(name, "no vectors come with it", "", took)
    texts = given.read_text("utf-8").split(BETWEEN)[:-1]
    lines = Path(f"{file}.out").read_text("utf-8").split("\n")
    wrong = []
    for text, line in zip(texts, lines, strict=False):
        ids = [int(number) for number in line.split()]
        if tokenizer.ids(text) != ids or tokenizer.count(text) != len(ids):
            wrong.append(text)
    told = "all ids equal" if not wrong else f"differ: {', '.join(ascii(text[:20]) for text in wrong[:4])}"
    return Row(name, told, f"{len(texts) - len(wrong)} of {len(texts)}", took)


def table(rows: list[Row]) -> Iterator[str]:
    yield "| vocabulary | | texts | read and first count, s of processor |"
    yield "| --- | --- | --- | --- |"
    yield from (f"| {row.file} | {row.what} | {row.equal} | {row.seconds} |" for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=Path)
    parser.add_argument("--source", type=Path)
    parser.add_argument("--texts", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pieces", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # each file is read, whatever is kept of it
        rows = [check_file(file) for file in sorted(options.models.glob("ggml-vocab-*.gguf"))]
    told = [*table(rows)]
    if options.source is not None:
        with tempfile.TemporaryDirectory() as folder, Cutter(options.source, Path(folder)) as cutter:
            told += ["", *compare_cuts(cutter, options.texts, options.seed)]
            if options.pieces:
                PIECES.write_text(render_pieces(cutter), encoding="utf-8")
    print("\n".join(told))
    if options.write:
        head = (
            "# Tokens against llama.cpp\n\n"
            "<!-- Written by  python bench/vectors.py MODELS --source SRC --write -->\n\n"
            "The vocabularies and vectors of llama.cpp, as the sdist of llama-cpp-python 0.3.36 has them; "
            "none is shipped here. Ids are compared one by one, and counts with them."
        )
        RESULTS.write_text("\n".join([head, "", *told, ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
