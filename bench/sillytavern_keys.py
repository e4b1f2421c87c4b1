"""How often the keys of exported memories bring the memory that a natural question is about.

    python bench/sillytavern_keys.py [--out FOLDER]

The questions were written before any key was looked at; keys were chosen by those of `ada` alone.

Scans as SillyTavern 1.19.0 does by default (SillyTavern/SillyTavern `public/scripts/world-info.js`,
`default/content/settings.json`): the last two messages, whole words, 25 % of 8,192 tokens, recursion.
`sillytavern_scan.mjs` puts the same questions to the real program.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.world_info_scan import BEFORE, export, measure, read_questions, title_of


def main() -> None:
    """Print, for each kit, how many questions bring their memory, and how many entries come at all."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--out", type=Path, help="a folder for the books and questions, for sillytavern_scan.mjs"
    )
    args = parser.parse_args()
    asked = read_questions()
    for kit, questions in asked.items():
        result = measure(kit, questions)
        for ask, brings in result.missed:
            print(f"  - {ask}  ->  {brings}")
        print(
            f"{kit}: {result.brought} of {len(questions)} questions bring their memory;"
            f" {result.came:.1f} of {result.entries} entries come to one, {result.constant} always;"
            f" {result.keys:.1f} keys an entry"
        )
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{kit}.json").write_text(json.dumps(export(kit)), "utf-8")
    if args.out:
        rows = [
            {
                "kit": kit,
                "before": BEFORE,
                "questions": [{"ask": q["ask"], "title": title_of(kit, q["brings"])} for q in questions],
            }
            for kit, questions in asked.items()
        ]
        (args.out / "questions.json").write_text(json.dumps(rows), "utf-8")


if __name__ == "__main__":
    main()
