"""How much of a page's words its session did not say: of pages about it, and of pages about another.

python bench/lineage.py [PAGES.json…]     (as for bench/grounding.py;
                                          default tests/fixtures/grounding/pages.json)
"""

import json
import sys
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.grounding.check import count_unsaid
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.forgetting.lineage import DRIFTED, STRANGE


def source_of(page: dict[str, Any]) -> Source:
    day = date.fromisoformat(page["day"])
    said = [look_at_turn(Turn(at, who, text, day)) for at, (who, text) in enumerate(page["turns"], start=1)]
    return Source(said, "", f"{page['user']} {page['persona']}")


def share(text: str, source: Source) -> float:
    unsaid, words = count_unsaid(" ".join(x for x in text.splitlines() if x[:1] != "#"), source)
    return unsaid / max(1, words)


def tell(name: str, shares: list[float]) -> None:
    above = [sum(one * WHOLE > limit for one in shares) for limit in (DRIFTED, STRANGE)]
    print(
        f"{name}: {len(shares):3} pages, {min(shares):.2f} to {max(shares):.2f}, median {median(shares):.2f};"
        f" {above[0]} above {DRIFTED // 100} %, {above[1]} above {STRANGE // 100} %"
    )


def main() -> int:
    files = sys.argv[1:] or [str(HERE.parent / "tests/fixtures/grounding/pages.json")]
    pages = [page for file in files for page in json.loads(Path(file).read_text(encoding="utf-8"))]
    sources = [source_of(page) for page in pages]
    own = [share(page["page"], source) for page, source in zip(pages, sources, strict=True)]
    others = [
        share(page["page"], source)
        for at, page in enumerate(pages)
        for other, source in enumerate(sources)
        if other != at
    ]
    tell("of its own session", own)
    tell("of another session", others)
    return 0


if __name__ == "__main__":
    sys.exit(main())
