"""A model's file of 5 GB as the kit's tokenizer: the first reading of it, and packing by it from then on.

python bench/model_file.py VOCABULARY.gguf… [--runs 5]

Each vocabulary (a .gguf with a header and no weights will do) is made 5 GB long by a hole at its end.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from large_kit import make_large_kit  # noqa: E402
from timing import compare, run  # noqa: E402

REEL = [sys.executable, "-m", "reel_cli"]
SIZE = 5 << 30


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("vocabularies", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    print("| what | goal | measured |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for vocabulary in options.vocabularies:
            measure(work / vocabulary.stem, vocabulary, options.runs)
    return 0


def measure(work: Path, vocabulary: Path, runs: int) -> None:
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
    print(
        f"| {name}, 5 GB, the first count of a page, all of the process | 1 s, 100 MB "
        f"| {wall:.2f} s ({cpu:.2f} of processor), {peak:.0f} MB |"
    )
    plain, own = work / "plain" / "kit", work / "own" / "kit"
    for kit in (plain, own):
        make_large_kit(kit, 500, 50, window=32768)
    run([*REEL, "model", "set", "--tokenizer", str(model)], own)
    packs = compare(lambda: run([*REEL, "pack"], own), lambda: run([*REEL, "pack"], plain), runs=max(runs, 9))
    both = f"{packs.first.wall * 1000:.0f} : {packs.second.wall * 1000:.0f} ms"
    told = f"{packs.wall:.2f} ({both}); {packs.cpu:.2f} by processor time"
    print(f"| {name}, reel pack, warm : with o200k_base | 1.3 | {told} |")


if __name__ == "__main__":
    sys.exit(main())
