"""The gauge: every message counted once, whatever becomes of the chat."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.pack import words
from reel_cli.core.values.memory import IndexLine
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import Kind, Message
from reel_cli.features.watch.gauge import Gauge, same_beginning

KIT = Settings(name="Ada", window=4000, cap=1000)
BUNDLE = f"{words.named(words.OPENING, 'Ada')}\n\nShe is dry.\n\n{words.named(words.CLOSING, 'Ada')}"
HARE = IndexLine("M-001", "The hare on the ice", "ask the hare")


@dataclass
class Words:
    """Counts words, and how much it was asked to count."""

    name: str = "words"
    additive: bool = True
    counted: list[str] = field(default_factory=list)

    def count(self, text: str) -> int:
        self.counted.append(text)
        return len(text.split())


def said(*texts: str) -> list[Message]:
    return [Message("assistant" if i % 2 else "user", text) for i, text in enumerate(texts)]


def test_a_new_turn_costs_what_it_costs_itself() -> None:
    words_ = Words()
    gauge = Gauge(KIT, words_)
    talk = said(*(f"turn {n} of a long evening" for n in range(2000)))
    assert gauge.look(talk).full[:3] == (0, 12_000, 2000)
    words_.counted.clear()
    talk += said("Is the ice thick?")
    assert gauge.look(talk).full[:3] == (0, 12_004, 2001)
    assert words_.counted == ["Is the ice thick?"]


def test_bundle_and_turns_are_what_counts() -> None:
    gauge = Gauge(KIT, Words(), aside=lambda: 77)
    assert gauge.look(said("Hello there")).full[:5] == (77, 2, 1, 1000, 8500)
    seen = gauge.look([Message("system", BUNDLE, Kind.SYSTEM), *said("Hello there")])
    assert (seen.full.bundle, seen.full.turns, seen.full.said) == (len(BUNDLE.split()), 2, 1)
    first = gauge.look(said(f"{BUNDLE}\n\nHello there", "Hm."))
    assert (first.full.bundle, first.full.turns, first.full.said) == (len(BUNDLE.split()), 3, 2)


def test_what_a_chat_template_adds_counts_with_each_message() -> None:
    kit = Settings(name="Ada", window=4000, cap=1000, template_fixed=10, template_message=5)
    talk = [Message("system", BUNDLE, Kind.SYSTEM), *said("Hello there", "Hm.")]
    full = Gauge(kit, Words()).look(talk).full
    assert (full.bundle, full.turns, full.said) == (len(BUNDLE.split()) + 15, 3 + 2 * 5, 2)
    assert Gauge(kit, Words(), aside=lambda: 77).look(said("Hello")).full[:3] == (92, 6, 1)
    assert Gauge(kit, Words()).look([]).full.tokens == 0


def test_what_the_model_does_not_see_again_does_not_count() -> None:
    hidden = [
        Message("assistant", "let me think", Kind.REASONING),
        Message("assistant", "No", Kind.VERSION, road=1),
    ]
    assert Gauge(KIT, Words()).look([*said("Hello", "Yes it is"), *hidden]).full.tokens == 4


def test_that_it_is_full_is_said_once_each_time_it_gets_so() -> None:
    gauge = Gauge(KIT, Words())
    full, more = said("word " * 790), said("word " * 810, "one more")
    assert [gauge.look(talk).crossed for talk in (full, more, more, full, more)] == [
        False,
        True,
        False,
        False,
        True,
    ]
    assert gauge.full.percent == 81


def test_a_phrase_of_the_index_is_named_once_and_never_for_what_stood_there_before() -> None:
    other = IndexLine("M-002", "Something else", "ice")
    gauge = Gauge(KIT, Words(), [HARE, other])
    assert gauge.look(said("Ask the hare, then.")).named == []
    assert gauge.look(said("Ask the hare, then.", "No ice.")).named == []
    assert gauge.look(said("Ask the hare, then.", "No ice.", "I'd “ask the   HARE”!")).named == [HARE]
    assert (
        gauge.look(said("Ask the hare, then.", "No ice.", "I'd “ask the   HARE”!", "ask the hare")).named
        == []
    )


def test_a_phrase_in_a_longer_word_or_in_a_bundle_is_none() -> None:
    gauge = Gauge(KIT, Words(), [HARE])
    gauge.look(said("Hello"))
    bundle = BUNDLE.replace("She is dry.", 'The hare on the ice: "ask the hare"')
    assert gauge.look([*said("Hello", "bask the harebell"), Message("user", bundle)]).named == []


def test_a_turn_larger_than_the_window_is_told_of_when_it_comes() -> None:
    gauge = Gauge(KIT, Words())
    assert gauge.look(said("word " * 1200)).large == 0
    assert gauge.look(said("word " * 1200, "word " * 1001)).large == 1001
    assert gauge.look(said("word " * 1200, "word " * 1001)).large == 0
    assert gauge.full.percent == 220


def test_an_edit_in_the_middle_and_a_chat_cut_short_are_counted_from_there() -> None:
    words_ = Words()
    gauge = Gauge(KIT, words_, [HARE])
    gauge.look(said("one", "two two", "three three three", "ask the hare"))
    words_.counted.clear()
    seen = gauge.look(said("one", "two", "three three three", "ask the hare"))
    assert (seen.full.turns, seen.again, seen.named) == (8, 3, [])
    assert words_.counted == ["two", "three three three", "ask the hare"]
    assert (gauge.look(said("one")).full.turns, gauge.look([]).full.turns) == (1, 0)


HIDDEN = (Message("assistant", "let me think", Kind.REASONING), Message("user", "word"))
TEXTS = st.lists(st.sampled_from(["", "a", "b b", "c c c", BUNDLE, f"{BUNDLE} d"]), max_size=8)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6))
def test_whatever_becomes_of_a_chat_it_counts_as_if_it_was_first_seen_now(chats: Sequence[list[str]]) -> None:
    plain, told = Gauge(KIT, Words()), Gauge(KIT, Words())
    before: list[Message] = []
    for chat in chats:
        now = [*said(*chat), *HIDDEN[: len(chat) % 3]]
        fresh = Gauge(KIT, Words()).look(now).full
        assert plain.look(now).full == fresh
        assert told.look(now, same_beginning(before, now)).full == fresh
        before = now


class Chat(list[Message]):
    """A chat that notes how many of its messages were looked at."""

    looked = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.looked += len(found) if isinstance(at, slice) else 1
        return found

    def __iter__(self) -> Iterator[Message]:
        self.looked += len(self)
        return super().__iter__()


def test_of_what_is_known_to_be_as_it_was_nothing_is_looked_at_again() -> None:
    words_ = Words()
    gauge = Gauge(KIT, words_)
    talk = Chat(said(*(f"turn {n} of a long evening" for n in range(500))))
    gauge.look(talk)
    for more in ("Is the ice thick?", "Thick enough."):
        talk.append(Message("user", more))
        talk.looked = 0
        words_.counted.clear()
        gauge.look(talk, len(talk) - 1)
        assert (talk.looked, words_.counted) == (1, [more])
    assert gauge.full[:3] == (0, 3006, 502)
    edited = [*talk[:250], Message("user", "no"), *talk[251:]]
    assert same_beginning(talk, edited) == 250
    seen = gauge.look(edited, 250)
    assert (seen.full[:3], seen.again) == ((0, 3001, 502), 252)
