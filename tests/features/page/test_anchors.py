"""The line that a memory is found by after the cold start: it names what happened, whoever said it."""

from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.values.artifact import Consolidation
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.page.plan_memory import rank_phrases

ACCIDENT = Consolidation(
    happened="My son was in an accident last week; he is okay. Caroline and I talked about how life goes.",
    changed="",
    matters="",
    unresolved=(),
    anchors=(),
    title="My son's accident",
)


def ranked(*said: tuple[str, str], times: int = 1) -> list[str]:
    phrases = [
        PhraseMatch(number, who, text, WHOLE, times) for number, (who, text) in enumerate(said, start=1)
    ]
    return [one.text for one in rank_phrases(phrases, ACCIDENT)]


def test_a_line_that_names_what_happened_comes_before_chatter_whoever_said_it() -> None:
    chatter, event = "Life sure can be a roller coaster", "My son got into an accident"
    assert ranked(("user", chatter), ("assistant", event)) == [event, chatter]
    assert ranked(("assistant", event), ("user", chatter)) == [event, chatter]


def test_of_lines_that_name_it_the_pages_own_order_holds() -> None:
    one, other = "we saw the accident happen", "my son was so brave"
    assert ranked(("assistant", one), ("user", other)) == [one, other]
    assert ranked(("user", other), ("assistant", one)) == [other, one]


def test_a_line_of_a_word_or_two_comes_last_and_one_said_twice_is_there_once() -> None:
    line = "he hurt his arm in the accident"
    assert ranked(("user", "the accident"), ("user", line), ("user", line)) == [line, "the accident"]


def test_where_no_line_names_it_nothing_is_lost() -> None:
    assert ranked(("user", "so true, that"), ("assistant", "well, well, well")) == [
        "so true, that",
        "well, well, well",
    ]
