"""Decisions in the browser, a card each: proposals, contradictions, edits, and findings of a close look."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import capital
from reel_cli.features.review.decision_words import choices_of
from reel_cli.features.review.decisions import list_decisions
from reel_cli.features.review.proposals import NEED_A_NAME
from reel_cli.features.review.settle import read_waiting
from reel_cli.features.serve.browser_words import word_for_browser
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.page_maker import read_form
from reel_cli.features.serve.shown_answer import field
from reel_cli.terminal.decisions.decision import DecisionOrder
from reel_cli.terminal.decisions.findings_walk import find_findings

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from reel_cli.features.review.proposals import WaitingProposal
    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit
    from reel_cli.terminal.decisions.decision import Decision
    from reel_cli.terminal.open_kit import OpenKit

SIDES = ("both", "older", "newer")
"""Sides of a contradiction that may hold, as `reel review accept --holds` takes them."""
WORDS = {"was": "-", "removed": "-", "now": "+", "new": "+"}
"""Words by which a change is told in the terminal, and its mark on the page."""
GONE = "This is decided already, or reads otherwise now. Nothing was done; look again."
HAS_A_CARD = ("--fix", "doctor --right")
"""In the mend of a finding: it is offered as a decision of its own."""


@frozen
class Way:
    """One way to decide: what its button does, its label and key, whether it takes a person's name."""

    deed: str
    label: str
    key: str
    named: bool = False


@frozen
class Card:
    """One thing to decide: what it is, why it waits, the lines of what would change, and the ways.

    Of `lines` each has its mark: + or - for what would come or go, "" for others. `text` is what a person
    can write otherwise, None where that is not possible. `mend` is a command, where no button does it.
    """

    item: str
    what: str
    why: str
    lines: Sequence[tuple[str, str]]
    ways: Sequence[Way] = ()
    text: str | None = None
    mend: str = ""


class DecisionPages:
    """The pages of what waits, and of what a close look finds."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[Route]":
        """Return the paths, and what answers each."""
        from starlette.routing import Route

        return [
            Route("/decide", self.show_waiting),
            Route("/decide/look", self.show_findings),
            Route("/decide/look", self.settle_finding, methods=["POST"]),
            Route("/decide/edit", self.settle_edited, methods=["POST"]),
        ]

    def show_waiting(self, _: "Request") -> "Response":
        """Show what waits for a decision."""
        return self._make.answer(
            lambda kit: self._make.page(kit, "decide.html", cards=list_cards(kit.opened), looked=False)
        )

    def show_findings(self, _: "Request") -> "Response":
        """Show what a close look at the kit finds: mends, doubts, advice, and other findings.

        The page begins at once: a first look reads every memory, which keeps no other page waiting.
        """

        def show(kit: "ServedKit") -> "Response":
            def look() -> Sequence[Card]:
                # the command notes what it judged, so that the cards need not judge it again
                told = self._make.run(["doctor", "--json"])
                found = read_findings(told)
                # where it did not come to its end, there are no notes: this process would judge everything
                return [*list_finding_cards(kit.opened), *found] if told.out.strip() else found

            return self._make.growing_page(kit, "decide.html", look=look, looked=True)

        return self._make.answer(show)

    async def settle_finding(self, request: "Request") -> "Response":
        """Carry out a decision about a finding, as it was shown."""
        form = await read_form(request)
        item, key, mark = (field(form, name) for name in ("item", "key", "mark"))

        def change() -> Answer:
            opened = self._make.open_to_write()
            found = next((one for one in find_findings(opened) if (one.item, one.mark) == (item, mark)), None)
            return settle(opened, found, key)

        return await self._make.write(
            form,
            change,
            lambda kit, done: self._make.done_page(kit, done, "/decide/look"),
        )

    async def settle_edited(self, request: "Request") -> "Response":
        """Accept a proposal in a person's own words."""
        form = await read_form(request)
        item, text = field(form, "item"), field(form, "text").replace("\r\n", "\n")

        def change() -> Answer:
            opened = self._make.open_to_write()
            found = next((one for one in list_decisions(opened) if one.item == item), None)
            return settle_text(opened, found, text)

        return await self._make.write(
            form,
            change,
            lambda kit, done: self._make.done_page(kit, done, "/decide"),
        )


def list_cards(opened: "OpenKit") -> Sequence[Card]:
    """Return a card for each thing that waits in `reel review`."""
    waiting = {one.item: one for one in read_waiting(opened)}
    return [
        Card(
            one.item,
            word_for_browser(one.what),
            word_for_browser(one.why),
            list(_mark_lines(one)),
            list(_list_ways(waiting[one.item])),
            one.draft.text if one.draft is not None else None,
        )
        for one in list_decisions(opened)
    ]


def list_finding_cards(opened: "OpenKit") -> Sequence[Card]:
    """Return a card for each thing that a close look finds and a person can decide at once."""
    return [
        Card(
            one.item,
            word_for_browser(one.what),
            word_for_browser(one.why),
            list(_mark_lines(one)),
            [Way(one.mark, capital(choice.label), choice.key) for choice in one.choices],
        )
        for one in find_findings(opened)
    ]


def read_findings(told: Answer) -> Sequence[Card]:
    """Return a card for each finding of `reel doctor --json` that has no button of its own."""
    try:
        findings = json.loads(told.out)["findings"]
    except (ValueError, KeyError):
        return [Card("", "A close look did not work", told.told, ())]
    return [
        Card(
            "",
            word_for_browser(one["evidence"]),
            "A problem" if one["severity"] == "serious" else "Worth a look",
            (),
            mend=one["mend"] or "",
        )
        for one in findings
        if not any(word in (one["mend"] or "") for word in HAS_A_CARD)
    ]


def settle(opened: "OpenKit", found: "Decision | None", key: str) -> Answer:
    """Carry out a decision by the key of its choice, and return what came of it."""
    choice = next((one for one in found.choices if one.key == key), None) if found is not None else None
    if found is None or choice is None:
        return Answer(1, "", GONE)
    try:
        done = found.settle(opened, DecisionOrder(choice))
    except ReelError as error:
        return Answer(1, "", "\n".join(filter(None, (error.message, error.hint))))
    told = f"{choice.done}: {found.what}."
    return Answer(0, "", "\n".join(filter(None, (told, done.note))))


def settle_text(opened: "OpenKit", found: "Decision | None", text: str) -> Answer:
    """Accept a proposal in a person's own words; an edit by hand is written as they have it, and waits on."""
    if found is None or found.draft is None:
        return Answer(1, "", GONE)
    try:
        edited = found.draft.take(opened, text)
    except ReelError as error:
        return Answer(1, "", "\n".join(filter(None, (error.message, error.hint))))
    if edited is None:
        return Answer(0, "", "Your text is in the file. It still waits for your decision.")
    choice = next((one for one in edited.choices if not one.drops), None)
    return settle(opened, edited, choice.key if choice is not None else "")


def _list_ways(one: "WaitingProposal") -> Iterator[Way]:
    """Yield the ways to decide about a thing that a command has."""
    for choice in choices_of(one):
        deed = "reject" if choice.drops else choice.word if choice.word in SIDES else "accept"
        if deed != "accept" or choice.key == "y":
            yield Way(deed, capital(choice.label), choice.key, deed == "accept" and one.kind in NEED_A_NAME)


def _mark_lines(one: "Decision") -> Iterator[tuple[str, str]]:
    for line in one.shown():
        word, _, rest = line.partition(": ")
        if word in WORDS and rest:
            yield WORDS[word], rest
        else:
            yield "", line.replace("it says: marker: ", "it says: ", 1)
