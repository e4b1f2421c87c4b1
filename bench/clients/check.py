"""A check of one program: a sentence for each promise, and whether it held."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from clients.workshop import CannotInstallError, Program, Workshop

Value = TypeVar("Value")


class BrokenError(Exception):
    """An error for a promise that did not hold."""


@dataclass
class Report:
    """The sentences that held, those that did not, and what could not be tried."""

    held: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)

    def show(self, sentence: str, holds: object, seen: object = "") -> None:
        """Note whether a sentence holds; `seen` is told where it does not. The check goes on either way."""
        if holds:
            self.held.append(sentence)
        else:
            self.broken.append(f"{sentence} (seen: {str(seen)[:300]})" if seen != "" else sentence)

    def same(self, sentence: str, seen: object, expected: object) -> None:
        """Note whether two values are the same."""
        self.show(sentence, seen == expected, f"{seen!r} instead of {expected!r}")


@dataclass(frozen=True)
class Check:
    """One program: its name, its packages, and what to do with it.

    `pinned` are the packages in the versions that CI takes; `newest` are their names, for `make clients`.
    `install` is given one of the two. `quick` marks what CI runs.
    """

    name: str
    pinned: tuple[str, ...]
    newest: tuple[str, ...]
    install: Callable[[Workshop, tuple[str, ...]], Program]
    version: Callable[[Program], str]
    run: Callable[[Program, Report], None]
    quick: bool = False


@dataclass
class Outcome:
    """How one check ended: with a version and a report, or with why the program could not be installed."""

    check: Check
    version: str = ""
    report: Report = field(default_factory=Report)
    missing: str = ""
    unreachable: bool = False


def carry_out(check: Check, workshop: Workshop, *, pinned: bool) -> Outcome:
    """Install a program and check it; whatever goes wrong with it is told and stops nothing else."""
    outcome = Outcome(check)
    try:
        program = check.install(workshop, check.pinned if pinned else check.newest)
    except CannotInstallError as error:
        outcome.missing, outcome.unreachable = str(error), error.unreachable
        return outcome
    outcome.version = check.version(program)
    try:
        check.run(program, outcome.report)
    except Exception as error:  # noqa: BLE001 (the others are still checked; this one has failed)
        outcome.report.broken.append(
            f"the check could not go on: {type(error).__name__}: {str(error)[-600:]}"
        )
    return outcome
