"""A model's file of 5 GB as the kit's tokenizer: the first reading of it, and packing by it from then on.

python bench/model_file.py VOCABULARY.gguf… [--runs 5] [--write]

Each vocabulary (a .gguf with a header and no weights will do) is made 5 GB long by a hole at its end.
--write: results-model-file.md.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from large_kit import make_large_kit
from timing import compare, run

REEL = [sys.executable, "-m", "reel_cli"]
SIZE = 5 << 30
RESULTS = HERE / "results-model-file.md"
READ_HEADER = (
    "import sys; from pathlib import Path; from reel_cli.features.models.gguf import read_header;"
    " read_header(Path(sys.argv[1]))"
)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("vocabularies", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    told = ["| what | goal | measured |", "| --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for vocabulary in options.vocabularies:
            told += measure(work / vocabulary.stem, vocabulary, options.runs)
    print("\n".join(told))
    if options.write:
        head = (
            "# A model's file as the tokenizer\n\n"
            "<!-- Written by  python bench/model_file.py VOCABULARY.gguf… --write -->\n\n"
            "Vocabularies of llama.cpp, each made 5 GB long by a hole; whole processes, medians."
        )
        RESULTS.write_text("\n".join([head, "", *told, ""]), encoding="utf-8")
    return 0


def measure(work: Path, vocabulary: Path, runs: int) -> Iterator[str]:
    work.mkdir()
    model, page = work / "model.gguf", work / "page"
    shutil.copyfile(vocabulary, model)
    os.truncate(model, SIZE)
    page.write_text("It is not far. " * 20)
    taken = []
    for number in range(runs):
        kept_nowhere = {"XDG_CACHE_HOME": str(work / f"cache{number}")}
        count = [*REEL, "model", "tokens", "--tokenizer", str(model), str(page)]
        taken.append(run(count, work, kept_nowhere))
    wall, cpu, peak = (
        statistics.median(getattr(one, name) for one in taken) for name in ("wall", "cpu", "peak")
    )
    name = vocabulary.stem.removeprefix("ggml-vocab-")
    yield (
        f"| {name}, 5 GB, the first count of a page, all of the process | 1 s, 100 MB "
        f"| {wall:.2f} s ({cpu:.2f} of processor), {peak:.0f} MB |"
    )
    header = [sys.executable, "-c", READ_HEADER, str(model)]
    head = [run(header, work) for _ in range(runs)]
    took = statistics.median(one.wall for one in head)
    size = statistics.median(one.peak for one in head)
    yield f"| {name}, 5 GB, its header alone | 1 s, 100 MB | {took:.2f} s, {size:.0f} MB |"
    plain, own = work / "plain" / "kit", work / "own" / "kit"
    for kit in (plain, own):
        make_large_kit(kit, 500, 50, window=32768)
    run([*REEL, "model", "set", "--tokenizer", str(model)], own)
    packs = compare(lambda: run([*REEL, "pack"], own), lambda: run([*REEL, "pack"], plain), runs=max(runs, 9))
    both = f"{packs.first.wall * 1000:.0f} : {packs.second.wall * 1000:.0f} ms"
    told = f"{packs.wall:.2f} ({both}); {packs.cpu:.2f} by processor time"
    yield f"| {name}, reel pack, warm : with o200k_base | 1.3 | {told} |"


if __name__ == "__main__":
    sys.exit(main())
