"""Choice of examples, and its reasons."""

from collections.abc import Sequence

from reel_cli.core.pack.exemplars import Choice, choose_exemplars, list_lines, list_short
from reel_cli.core.values.memory import SEED, ActiveSet, Exemplar


def exemplar(slug: str, role: str = "general", added: str = "2026-01-01") -> Exemplar:
    return Exemplar(slug, slug.title(), role, "**Bo:** hm.\n", added)


POOL = [
    exemplar("anchor", added="2025-01-01"),
    exemplar("old", added="2025-02-01"),
    exemplar("cross", "correction", "2025-03-01"),
    exemplar("crosser", "correction", "2025-04-01"),
    exemplar("silly", "humor", "2025-05-01"),
    exemplar("sad", "emotional", "2025-06-01"),
    exemplar("new", added="2025-07-01"),
]


def chosen(active: Sequence[str], *moods: str, pool: Sequence[Exemplar] = POOL) -> Choice:
    return choose_exemplars(pool, ActiveSet("anchor", tuple(active)), dict.fromkeys(moods, ()))


def beside(choice: Choice) -> list[str]:
    return [one.slug for one in choice.beside]


def test_without_a_cue_the_active_ones_stand_beside_the_anchor_the_newest_first() -> None:
    choice = chosen(["old", "silly", "anchor", "sad"])
    assert (choice.anchor, beside(choice)) == (POOL[0], ["sad", "silly", "old"])


def test_of_one_day_the_one_that_came_into_use_last_is_the_newest() -> None:
    """REEL §4.2: the default is the most recently added; a day's names say nothing of that."""
    names = ["delta", "charlie", "bravo", "alpha", "zulu"]
    pool = [POOL[0], *(exemplar(name, added="2026-03-01") for name in names)]
    choice = chosen(["anchor", *names], pool=pool)
    assert beside(choice) == ["zulu", "alpha", "bravo", "charlie"]
    assert list(choice.left) == ["delta"]


def test_fewer_than_two_are_filled_up_with_the_newest_of_the_pool() -> None:
    assert beside(chosen([])) == ["new", "sad"]
    assert beside(chosen(["old"])) == ["old", "new"]


def test_the_role_that_is_called_for_comes_first_from_the_active_ones() -> None:
    """REEL §4.2: keep a pool of verbatim exchanges that only grows."""
    assert beside(chosen(["silly", "cross", "sad"], "conflict")) == ["cross", "sad", "silly"]


def test_a_role_that_none_of_the_active_has_comes_from_the_pool_the_newest() -> None:
    choice = chosen(["silly", "sad"], "conflict")
    assert beside(choice) == ["crosser", "sad", "silly"]
    assert choice.left == {
        "cross": "not called for by the cue, and not active",
        "old": "not called for by the cue, and not active",
        "new": "not called for by the cue, and not active",
    }


def test_several_moods_are_served_in_their_order() -> None:
    assert beside(chosen(["old"], "emotional", "playful")) == ["sad", "silly", "old"]


def test_four_beside_the_anchor_are_enough() -> None:
    choice = chosen(["old", "cross", "silly", "sad", "new"])
    assert beside(choice) == ["new", "sad", "silly", "cross"]
    assert choice.left["old"] == "5 examples are enough; others suit better"


def test_a_role_that_nothing_has_is_told() -> None:
    choice = chosen([], "conflict", pool=[POOL[0], POOL[1]])
    assert choice.missing == ["asked for (conflict), but no other example has the role correction"]


def test_why_each_was_chosen_is_told() -> None:
    pool = ActiveSet("anchor", ("old",))
    choice = choose_exemplars(POOL, pool, {"conflict": ("angry", "wrong")})
    assert choice.why == {
        "anchor": "the anchor",
        "crosser": "the conversation is in conflict (angry, wrong)",
        "old": "active",
    }


def test_an_anchor_that_is_gone_is_stood_in_for() -> None:
    choice = choose_exemplars(POOL, ActiveSet("lost", ("silly", "lost too")), {})
    assert choice.anchor == POOL[4]
    assert choice.warnings == [
        "The anchor exemplar 'lost' is not in ring1; Silly stands in for it.",
        "ring1/active.yaml names what is not in ring1: lost too.",
    ]


def test_an_empty_pool_needs_no_warning() -> None:
    choice = choose_exemplars([], ActiveSet(), {"conflict": ()})
    assert (choice.anchor, choice.beside, choice.warnings) == (None, [], [])


def test_in_a_small_window_those_that_were_said_come_before_the_template_s() -> None:
    seeds = [Exemplar(slug, slug, "general", "**Bo:** hm.\n", "2026-01-01", SEED) for slug in ("bus", "five")]
    choice = chosen(["bus", "five", "sad"], pool=[*POOL, *seeds])
    order = [one.slug for one in list_short(choice, ["bus", "five", "sad"], called=False)]
    assert order == ["sad", "old", "cross", "crosser", "silly", "new", "bus", "five"]
    assert [one.slug for one in list_short(choice, [], called=True)][:2] == ["bus", "five"]


def test_in_a_small_window_those_that_were_said_come_before_the_card_s() -> None:
    """A card's examples and greetings took all places, and what a person kept was never heard."""
    card = [
        Exemplar(name, name, "general", "**Bo:** hm.\n", "2025-01-01", f"card {field}")
        for name, field in (("first", "mes_example 1"), ("hello", "first_mes"), ("again", "first_mes"))
    ]
    active = ["anchor", "first", "hello", "again", "sad"]
    choice = chosen(active, pool=[*POOL[:1], *card, POOL[5]])
    assert [one.slug for one in list_short(choice, active, called=False)] == [
        "sad",
        "again",
        "first",
        "hello",
    ]


def test_in_a_small_window_the_last_place_is_the_newest_one_s_and_the_others_keep_theirs() -> None:
    """REEL §4.2: the default is the most recently added; the oldest stay, so that a server's cache holds."""
    active = [one.slug for one in POOL]
    before = [one.slug for one in list_short(chosen(active), active, called=False)]
    assert before == ["old", "cross", "new", "crosser", "silly", "sad"]
    later = [*POOL, exemplar("newest", added="2025-08-01")]
    order = list_short(chosen([*active, "newest"], pool=later), [*active, "newest"], called=False)
    assert [one.slug for one in order] == ["old", "cross", "newest", "crosser", "silly", "sad", "new"]
    few = chosen(active[:3], pool=POOL[:3])
    assert [one.slug for one in list_short(few, active[:3], called=False)] == ["old", "cross"]


def test_one_that_a_person_lets_rest_is_not_chosen_however_much_room_there_is() -> None:
    choice = choose_exemplars(POOL, ActiveSet("anchor", (), ("new", "sad", "crosser")), {"conflict": ()})
    names = [one.slug for one in list_short(choice, (), called=True)]
    assert not {"new", "sad", "crosser"}.intersection(names)
    assert beside(choice) == ["cross", "silly"]


def said(slug: str, text: str, source: str = "2026-01-01-1#1-2") -> Exemplar:
    return Exemplar(slug, slug.title(), "general", text, "2026-01-01", source)


def test_an_exemplar_is_heard_by_the_persona_s_last_words_alone() -> None:
    pool = [
        said("two", "**Bo:** hm.\n\n**Ada:** Well.\n\n**Bo:** And?\n\n**ada:** Then we dig, *slowly*.\n"),
        said("same", "**Bo:** And now?\n\n**Ada:** Then we rest.\n"),
        said("seed", "**Bo:** hm.\n\n**Ada:** Template, all of it.\n", SEED),
        said("long", f"**Bo:** hm.\n\n**Ada:** {'On and on. ' * 30}\n"),
        said("many", "**Bo:** hm.\n\n**Ada:** First.\n\nSecond.\n"),
        said("photo", "**Bo:** hm.\n\n**Ada:** Look! [shares a photo of a spade]\n"),
        said("other", "**Bo:** hm.\n\n**Cy:** Somebody else's words.\n"),
        said("none", "Ada speaks plainly.\n"),
        said("bare", "**Bo:** Ready?\n\n**Ada:** No?\n"),
        said("one", "**Bo:** Ready?\n\n**Ada:** ((Almost. The soup is on.))\n"),
    ]
    lines = [(one.slug, line) for one, line in list_lines(pool, [], "Ada")]
    assert lines == [("two", "Then we dig, *slowly*."), ("one", "((Almost. The soup is on.))")]
    heard = [one.slug for one, _ in list_lines(pool, [pool[0]], "Ada")]
    assert heard == ["one"]
