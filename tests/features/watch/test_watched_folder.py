"""Schedule of reading chat files: times in, decisions out, and no clock."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.watch.policy import TRIES, UNANSWERED, Mark, Watch

A, B = Mark(10, 1), Mark(20, 2)


def watching(**chats: Mark) -> Watch:
    watch = Watch(60)
    watch.begin(0, chats)
    return watch


def test_what_is_there_at_the_start_is_left_alone() -> None:
    watch = watching(lake=A)
    watch.look(1, {"lake": A})
    assert watch.due(1000) == []


def test_the_present_chat_is_read_at_once_where_that_is_wanted() -> None:
    watch = Watch(60)
    watch.begin(5, {"lake": A, "ferry": A}, present=["lake"])
    assert watch.due(5) == ["lake"]


def test_a_chat_is_due_when_it_has_been_quiet_for_as_long_as_was_said() -> None:
    watch = watching(lake=A)
    watch.look(10, {"lake": B})
    watch.look(40, {"lake": Mark(30, 3)})
    watch.look(41, {"lake": Mark(30, 3)})
    assert (watch.due(99), watch.due(100)) == ([], ["lake"])


def test_a_new_chat_counts_as_changed() -> None:
    watch = watching()
    watch.look(10, {"ferry": A})
    assert watch.due(70) == ["ferry"]


def test_the_one_that_waited_longest_comes_first() -> None:
    watch = watching()
    watch.look(10, {"b": A})
    watch.look(20, {"a": A, "b": A})
    assert watch.due(100) == ["b", "a"]


def test_what_is_recorded_waits_no_longer_and_what_was_written_since_does() -> None:
    watch = watching(lake=A)
    watch.look(10, {"lake": B})
    watch.settle("lake", B)
    assert watch.waiting() == []
    watch.look(80, {"lake": Mark(30, 3)})
    watch.settle("lake", B)
    assert watch.waiting() == ["lake"]


def test_words_without_an_answer_wait_longer_but_only_once() -> None:
    watch = watching(lake=A)
    watch.look(10, {"lake": B})
    assert watch.wait_for_answer("lake")
    assert (watch.due(70), watch.due(10 + 60 * UNANSWERED)) == ([], ["lake"])
    assert not watch.wait_for_answer("lake")
    watch.look(500, {"lake": Mark(30, 3)})
    assert watch.wait_for_answer("lake")


def test_half_a_file_is_tried_a_few_times_and_then_given_up_without_a_word() -> None:
    watch = watching()
    watch.look(0, {"lake": A})
    now, tried = 60.0, 0
    while watch.waiting():
        now += 1
        for path in watch.due(now):
            tried += 1
            assert not watch.unreadable(path, now, "it stops in the middle")
    assert tried == TRIES
    assert now < 60 + 30
    assert watch.faults() == {"lake": "it stops in the middle"}
    watch.look(200, {"lake": B})
    assert (watch.faults(), watch.due(260)) == ({}, ["lake"])


def test_a_chat_that_could_be_read_before_is_told_of_when_it_no_longer_can() -> None:
    watch = watching()
    watch.look(0, {"lake": A})
    watch.settle("lake", A)
    watch.look(10, {"lake": B})
    assert [watch.unreadable("lake", 70.0 + n, "gone wrong") for n in range(TRIES)] == [
        *[False] * (TRIES - 1), True,
    ]  # fmt: skip


def test_what_the_kit_does_not_take_is_tried_for_ever_and_told_of_after_a_while() -> None:
    watch = watching()
    watch.look(0, {"lake": A})
    told = [watch.try_later("lake", float(n)) for n in range(100)]
    assert told.index(True) == TRIES - 1
    assert watch.due(100 + 60) == ["lake"]


def test_a_chat_that_was_deleted_is_dropped_and_looked_at_again_when_it_returns() -> None:
    watch = watching(lake=A)
    watch.look(10, {"lake": B})
    watch.look(20, {})
    watch.drop("lake")
    assert watch.due(1000) == []
    watch.look(30, {"lake": B})
    assert watch.due(90) == ["lake"]


def test_a_folder_that_vanishes_and_returns_as_it_was_has_nothing_new_in_it() -> None:
    watch = watching(lake=A)
    watch.look(10, None)
    assert watch.away
    watch.look(20, {"lake": A})
    assert (watch.away, watch.due(1000)) == (False, [])


def test_the_same_is_told_once_until_the_chat_changes() -> None:
    watch = watching(lake=A)
    assert [watch.tell("lake", "x"), watch.tell("lake", "x"), watch.tell("lake", "y")] == [True, False, True]
    watch.look(10, {"lake": B})
    assert watch.tell("lake", "x")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "delete", "away", "wait"]), st.sampled_from("abc"), st.integers(0, 90)
    ),
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(STEPS)
def test_whatever_happens_each_last_state_is_read_once_and_never_while_it_changes(
    steps: list[tuple[str, str, int]],
) -> None:
    watch = Watch(60)
    watch.begin(0, {})
    there: dict[str, Mark] = {}
    changed: dict[str, float] = {}
    read: list[tuple[str, Mark]] = []
    now = 0.0

    def look(found: dict[str, Mark] | None) -> None:
        watch.look(now, found)
        for path in watch.due(now):
            if path not in there:
                watch.drop(path)
                continue
            assert now - changed[path] >= 60
            read.append((path, there[path]))
            watch.settle(path, there[path])

    for number, (what, path, seconds) in enumerate(steps):
        now += seconds
        if what == "write":
            there[path], changed[path] = Mark(number, number), now
        elif what == "delete":
            there.pop(path, None)
        look(None if what == "away" else there)
    now += 60
    look(there)
    assert len(read) == len(set(read))
    assert {pair for pair in read if there.get(pair[0]) == pair[1]} == set(there.items())
