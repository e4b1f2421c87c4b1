"""Installs and drives the programs that people use with reel, and writes bench/results-clients.md.

python bench/clients                     every program, its newest version
python bench/clients --only llm,gptme    these; nothing is written
python bench/clients --quick             what CI runs: the quick ones, in versions that are known

Environments are made below REEL_CLIENTS, a folder, and used again the next time. Without it they are made
in a temporary folder and thrown away. It exits with 1 when a promise did not hold, and with --quick also when
a program could not be installed although its registry answers.
"""

import argparse
import os
import signal
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(folder) for folder in Path(__file__).resolve().parents[1:3]]

from clients import aider, gptme, inspector, litellm, llamacpp, llm, oterm, sillytavern
from clients.check import Outcome, carry_out
from clients.table import write_page
from clients.workshop import Workshop

PAGE = Path(__file__).resolve().parents[1] / "results-clients.md"

PINNED_ON = "2026-11-28"
"""Day of the versions that CI takes, of the programs and of all that they need."""
CHECKS = (
    llm.CHECK,
    inspector.CHECK,
    llamacpp.CHECK,
    litellm.CHECK,
    sillytavern.CHECK,
    gptme.CHECK,
    aider.CHECK,
    oterm.CHECK,
)


def main() -> int:
    """Check the programs that were asked for."""
    parser = argparse.ArgumentParser(description="Drive the real programs.")
    parser.add_argument("--only", help="these programs, by name, with commas")
    parser.add_argument(
        "--quick", action="store_true", help="the quick ones, in the versions that are pinned"
    )
    args = parser.parse_args()
    names = args.only.split(",") if args.only else None
    unknown = {*(names or ())} - {one.name for one in CHECKS}
    if unknown:
        parser.error(f"no program is called {', '.join(sorted(unknown))}")
    checks = [one for one in CHECKS if (names is None or one.name in names) and (one.quick or not args.quick)]
    # asked to end, it ends what it started
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="reel-clients-") as temporary:
        folder = Path(os.environ.get("REEL_CLIENTS") or temporary).resolve()
        workshop = Workshop(folder, PINNED_ON if args.quick else "")
        outcomes = []
        for check in checks:
            outcomes.append(carry_out(check, workshop, pinned=args.quick))
            tell(outcomes[-1])
    if names is None and not args.quick:
        PAGE.write_text(write_page(outcomes), "utf-8")
    return 1 if any(has_failed(one, strict=args.quick) for one in outcomes) else 0


def has_failed(one: Outcome, *, strict: bool) -> bool:
    """Return whether an outcome is a failure.

    A program that cannot be installed stands in the table as such and fails nothing. Where versions are
    pinned (`strict`) its install has worked before: then it fails, unless no registry answers at all.
    """
    return bool(one.report.broken) or (strict and bool(one.missing) and not one.unreachable)


def tell(one: Outcome) -> None:
    """Print how a check ended."""
    missing = f"NOT CHECKED, {'no registry answers' if one.unreachable else 'not installed'}: {one.missing}"
    print(f"{one.check.name} {missing if one.missing else one.version}")
    for mark, lines in (("ok", one.report.held), ("FAILED", one.report.broken), ("--", one.report.untried)):
        for line in lines:
            print(f"  {mark}  {line}")


if __name__ == "__main__":
    sys.exit(main())
