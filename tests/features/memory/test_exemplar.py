"""`reel example`: into the pool word for word, and in and out of the active set."""

import json
from pathlib import Path

import pytest

from reel_cli.core.stage_chain import find_syntax
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import append_entries, render_session
from reel_cli.core.values.talk import Conversation, Entry, Event, Kind, Message
from tests.support.cli import Reel, git

SESSION = "2026-02-25-1"
SAID = (
    Message("system", "You are Ada.", Kind.SYSTEM),
    Message("user", "You got on the wrong train again?"),
    Message("assistant", "The train was right. --- The *platform* lied.\n\nBoth of them.", name="Ada L."),
    Message("assistant", "(thinking)", Kind.REASONING),
    Message("user", "Where are you now?\n"),
    Message("assistant", "In a town called <End>. Population: me."),
)
LISTED = (
    "in every bundle  easier-than-people  general    Easier than people\n"
    "in use           the-bus-window      emotional  The bus window\n"
    "in use           up-at-five          humor      Up at five\n"
)


@pytest.fixture
def taped(kit: Path) -> Path:
    """The kit with one session of four messages on its tape."""
    path = kit / f"tape/2026/{SESSION}.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(render_session(SESSION, Conversation("text", SAID)))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "a session")
    return kit


def subject(kit: Path) -> str:
    return git(kit, "log", "-1", "--format=%s|%(trailers:separator=%x2C)").strip()


@pytest.mark.usefixtures("kit")
def test_the_pool_is_listed_with_its_marks(reel: Reel) -> None:
    done = reel("exemplar", "list").ok()
    assert (done.out, done.err) == (LISTED, "Read one:  reel example show easier-than-people\n")
    # each is also called by words of its title, and the command by the protocol's word
    assert reel("example", "show", "up at").ok().out.startswith("Up at five\n")
    assert json.loads(reel("exemplar", "list", "--json").ok().out)[1] == {
        "slug": "the-bus-window",
        "title": "The bus window",
        "role": "emotional",
        "anchor": False,
        "active": True,
        "added": "2026-01-01",
        "source": "seed",
    }


@pytest.mark.usefixtures("kit")
def test_one_is_shown_whole(reel: Reel) -> None:
    done = reel("exemplar", "show", "up-at-five").ok()
    assert done.out.startswith(
        "Up at five\nin use, humor, 2026-01-01, seed\n\n**Bo:** New plan. Up at five every day."
    )
    assert done.out.endswith("**Ada:** I'm tremendous fun at nine, when you're awake.\n")
    shown = json.loads(reel("exemplar", "show", "up-at-five", "--json").ok().out)
    assert (shown["slug"], shown["anchor"], shown["text"][:8]) == ("up-at-five", False, "**Bo:** ")


def test_bundles_and_cards_tell_a_scene_s_example_without_its_tags(reel: Reel, kit: Path) -> None:
    """REEL §4.2, §5.2: the file keeps what was said, byte for byte; what a model reads has no tags."""
    tags = '[STAGE:SCENE light="one lamp" sound="pump only"]'
    said = (
        Message("user", tags),
        Message("assistant", "Then ask me again at four."),
        Message("user", f"It is four.\n\n{tags}"),
        Message("assistant", f"{tags} Good. It turned pink."),
    )
    path = kit / f"tape/2026/{SESSION}.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(render_session(SESSION, Conversation("text", said)))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "a session")
    reel("exemplar", "add", "--from", f"{SESSION}#1-4", "--title", f"{tags} The lamp").ok()
    (example,) = (one for one in (kit / "ring1").glob("*.md") if "turned pink" in one.read_text())
    assert example.read_text().count(tags) == 3
    for window in ("4k", "8k", "32k"):
        assert find_syntax(reel("pack", "--window", window).ok().out) == [], window
    told = reel("pack", "--window", "32k").ok().out
    assert "**Bo:** …\n\n**Ada:** Then ask me again at four.\n\n**Bo:** It is four." in told
    assert "**Ada:** Good. It turned pink." in told
    out = kit.parent / "ada.json"
    reel("export", "card", "--out", out).ok()
    card = json.loads(out.read_text())["data"]["mes_example"]
    assert "Good. It turned pink." in card
    assert find_syntax(card) == []


def test_messages_are_taken_from_the_tape_word_for_word(reel: Reel, taped: Path) -> None:
    done = reel(
        "exemplar", "add", "--from", f"{SESSION}#1-2", "--title", "The wrong train", "--role", "humor"
    )
    assert done.ok().out == '"The wrong train" is an example now.\n'
    assert done.err == "Next:  reel pack --explain\n"
    assert (taped / "ring1/the-wrong-train.md").read_text() == (
        "---\ntitle: The wrong train\nrole: humor\nadded: 2026-03-01\n"
        f'source: "{SESSION}#1-2"\n---\n'
        "**Bo:** You got on the wrong train again?\n\n"
        "**Ada L.:** The train was right. --- The *platform* lied.\n\nBoth of them.\n"
    )
    assert subject(taped) == "exemplar: the-wrong-train is an example now|Reel-Op: exemplar"
    assert git(taped, "status", "--porcelain") == ""
    assert reel("exemplar", "list").ok().out == (
        "in every bundle      easier-than-people  general    Easier than people\n"
        "in use               the-bus-window      emotional  The bus window\n"
        "in use               the-wrong-train     humor      The wrong train\n"
        "in use, no room now  up-at-five          humor      Up at five\n"
    )


def test_what_a_person_adds_is_heard_at_once_unless_it_is_to_rest(reel: Reel, taped: Path) -> None:
    """REEL §4.2: the newest of the pool stands beside the anchor, and what a person accepts is heard."""
    reel("exemplar", "activate", "up-at-five").ok()
    for text in ("one", "two", "three", "four"):
        added = reel("exemplar", "add", "-", "--title", text, stdin=f"**Bo:** {text}, said Bo.\n").ok()
    assert added.err == "7 are in use now; a bundle holds 4 at most.\nNext:  reel pack --explain\n"
    rests = reel("exemplar", "add", "-", "--title", "six", "--rests", stdin="**Bo:** six, said Bo.\n").ok()
    assert rests.err == "To use it:  reel example activate six\n"
    bundle = reel("pack", "--window", "32k").ok().out
    assert [text for text in ("one", "two", "three", "four", "six") if f"{text}, said Bo." in bundle] == [
        *("one", "two", "three", "four")
    ]


def test_what_was_corrected_is_taken_as_it_stands_now(reel: Reel, taped: Path) -> None:
    path = taped / f"tape/2026/{SESSION}.md"
    mended = Entry(5, Message("user", "Where are you, Ada?"), after=2, supersedes=(3,))
    path.write_bytes(append_entries(path.read_bytes(), [mended], SESSION))
    reel("exemplar", "add", "--from", f"{SESSION}#2-4", "--title", "Where").ok()
    body = (taped / "ring1/where.md").read_text().split("---\n", 2)[2]
    assert [part[:16] for part in body.split("\n\n") if part.startswith("**")] == [
        "**Ada L.:** The ",
        "**Bo:** Where ar",
        "**Ada:** In a to",
    ]
    assert "Where are you, Ada?" in body
    done = reel("exemplar", "add", "--from", f"{SESSION}#3", "--title", "x")
    assert done.err == (
        f"Error: Message 3 of chat {SESSION} was corrected later.\nHint: it is message 5 now\n"
    )


def test_a_file_is_taken_word_for_word(reel: Reel, kit: Path) -> None:
    (reel.cwd.parent / "moth.md").write_text("**You:** A moth?\r\n\r\n**Ada:** It drinks tears.  \r\n\r\n")
    reel("exemplar", "add", "../moth.md", "--title", "Ängste & Motten: 1").ok()
    assert (kit / "ring1/angste-motten-1.md").read_text() == (
        '---\ntitle: "Ängste & Motten: 1"\nrole: general\nadded: 2026-03-01\nsource: moth.md\n---\n'
        "**You:** A moth?\n\n**Ada:** It drinks tears.  \n"
    )


def test_a_files_own_front_matter_counts_unless_it_is_overruled(reel: Reel, kit: Path) -> None:
    given = "---\ntitle: Moths\nrole: emotional\nsource: a letter\n---\n**Ada:** Tears.\n"
    reel("exemplar", "add", "-", "--role", "humor", stdin=given).ok()
    assert (kit / "ring1/moths.md").read_text() == (
        "---\ntitle: Moths\nrole: humor\nadded: 2026-03-01\nsource: a letter\n---\n**Ada:** Tears.\n"
    )


def test_the_first_exchange_of_a_blank_kit_becomes_the_anchor(reel: Reel) -> None:
    reel("init", "mo", "--template", "blank").ok()
    reel.cwd /= "mo"
    assert reel("exemplar", "list").ok().err == (
        'There are no examples yet of how the persona sounds.\nAdd one:  reel example add FILE --title "…"\n'
    )
    done = reel("exemplar", "add", "-", "--title", "First", stdin="**Mo:** Yes?\n").ok()
    assert done.err == "Next:  reel pack --explain\n"
    assert (reel.cwd / "ring1/active.yaml").read_text() == "anchor: first\nactive:\n  - first\n"
    assert reel("exemplar", "list").ok().out == "in every bundle  first  general  First\n"


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "says"),
    [
        ([], "", 2, "Error: Say where the exchange is: either a file, or messages of a recorded chat.\n"),
        (["-", "--from", f"{SESSION}#1"], "x", 2, "Error: Say where the exchange is"),
        (["-"], "**Ada:** Hm.", 1, "Error: The exchange needs a title.\n"),
        (["-", "--title", "x"], " \n", 1, "Error: What came on standard input is empty.\n"),
        (["-", "--title", "x"], "---\ntitle: y\n---\n", 1, "Error: This exchange is empty.\n"),
        (["-", "--title", "x"], "---\ntitle: [\n---\n", 1, "Error: pasted, line "),
        (["-", "--title", "x", "--role", "sad"], "a", 1, "Error: 'sad' is not a role.\nHint: take one of"),
        (["nope.md", "--title", "x"], "", 1, "Error: There is no file nope.md.\n"),
        (
            ["--from", "yesterday", "--title", "x"],
            "",
            1,
            "Error: 'yesterday' does not name messages of a recorded chat.\n",
        ),
        (
            ["--from", "2026-01-01-1#1-2", "--title", "x"],
            "",
            1,
            "Error: There is no recorded chat 2026-01-01-1",
        ),
        (
            ["--from", f"{SESSION}#1-9", "--title", "x"],
            "",
            1,
            f"Error: Chat {SESSION} has no message 9.\n",
        ),
        (["--from", SESSION, "--title", "x"], "", 1, f"Error: Chat {SESSION} is 4 messages long"),
    ],
)
def test_what_cannot_be_added_is_refused(
    reel: Reel, taped: Path, arguments: list[str], stdin: str, code: int, says: str
) -> None:
    before = git(taped, "rev-parse", "HEAD")
    done = reel("exemplar", "add", *arguments, stdin=stdin)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(says)
    assert (git(taped, "rev-parse", "HEAD"), git(taped, "status", "--porcelain")) == (before, "")


@pytest.mark.usefixtures("taped")
def test_the_same_exchange_is_added_once(reel: Reel) -> None:
    reel("exemplar", "add", "--from", f"{SESSION}#1-2", "--title", "The wrong train").ok()
    done = reel("exemplar", "add", "--from", f"{SESSION}#1-2", "--title", "Again")
    assert done.code == 1
    assert done.err == (
        "Error: This exchange is an example already: the-wrong-train.\n"
        "Hint: reel example show the-wrong-train\n"
    )


def test_two_of_one_title_get_two_files(reel: Reel, kit: Path) -> None:
    for text in ("one", "two"):
        reel("exemplar", "add", "-", "--title", "Moths", stdin=text).ok()
    assert sorted(path.name for path in (kit / "ring1").glob("moths*")) == ["moths-2.md", "moths.md"]


def test_at_a_terminal_a_missing_title_is_asked_for(reel: Reel, taped: Path) -> None:
    reel("exemplar", "add", "--from", f"{SESSION}#1-2", stdin="The platform\n", tty=True).ok()
    assert (taped / "ring1/the-platform.md").exists()


def test_the_active_set_changes_and_the_pool_does_not(reel: Reel, kit: Path) -> None:
    pool = sorted((kit / "ring1").glob("*.md"))
    two = '"Easier than people", "The bus window" no longer in use'
    steps = [
        (["retire", "up-at-five"], '"Up at five" no longer in use', ["easier-than-people", "the-bus-window"]),
        (
            ["anchor", "up-at-five"],
            '"Up at five" is in every bundle now',
            ["up-at-five", "easier-than-people", "the-bus-window"],
        ),
        (["retire", "easier-than-people", "the-bus-window"], two, ["up-at-five"]),
        (["activate", "the-bus-window"], '"The bus window" in use', ["up-at-five", "the-bus-window"]),
    ]
    for arguments, said, active in steps:
        done = reel("exemplar", *arguments).ok()
        assert done.out == f"{said}.\n"
        named = f"{', '.join(arguments[1:])} {said[said.rindex(chr(34)) + 2 :]}"
        assert subject(kit) == f"exemplar: {named}|Reel-Op: exemplar"
        assert reel("log").ok().out.splitlines()[0].endswith(f"  {said}")
        lines = (kit / "ring1/active.yaml").read_text().partition("resting:")[0].splitlines()
        assert [line.removeprefix("  - ") for line in lines if line.startswith("  - ")] == active
    assert (kit / "ring1/active.yaml").read_text().startswith("anchor: up-at-five\n")
    assert sorted((kit / "ring1").glob("*.md")) == pool
    assert git(kit, "rev-list", "--count", "HEAD").strip() == "5"


def test_a_retired_one_is_in_no_bundle_until_it_is_activated(reel: Reel, kit: Path) -> None:
    """Also from a set of three: a bundle that has few takes the newest of the pool, which this is not."""
    assert "Up at five" in reel("pack").ok().out
    done = reel("exemplar", "retire", "up-at-five").ok()
    again = "reel example activate up-at-five"
    assert done.err == f"No bundle shows it now. To use it again:  {again}\n"
    told = reel("pack", "--explain").ok()
    assert "Up at five" not in told.out
    assert "a person took it out of use" in told.err
    assert (kit / "ring1/up-at-five.md").exists()
    assert reel("exemplar", "retire", "up-at-five").ok().err == "None of them is in use.\n"
    reel(*again.split()[1:]).ok()
    assert "Up at five" in reel("pack").ok().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["activate", "up-at-five", "the-bus-window"], "All of them are in use already.\n"),
        (["anchor", "easier-than-people"], "It is in every bundle already.\n"),
    ],
)
def test_what_is_so_already_makes_no_commit(reel: Reel, kit: Path, arguments: list[str], says: str) -> None:
    done = reel("exemplar", *arguments).ok()
    assert (done.out, done.err) == ("", says)
    assert git(kit, "rev-list", "--count", "HEAD").strip() == "1"


@pytest.mark.usefixtures("kit")
def test_the_anchor_does_not_rest(reel: Reel) -> None:
    done = reel("exemplar", "retire", "up-at-five", "easier-than-people")
    assert done.code == 1
    assert done.err == (
        "Error: easier-than-people is the example that is always there.\n"
        "Hint: keep another one there first:  reel example anchor the-bus-window\n"
    )
    assert reel("exemplar", "list").ok().out == LISTED
    reel(*done.err.rpartition("reel ")[2].split()).ok()
    reel("exemplar", "retire", "up-at-five", "easier-than-people").ok()


def test_the_last_examples_rest_with_the_anchor(reel: Reel, kit: Path) -> None:
    told = reel("exemplar", "retire", "up-at-five", "the-bus-window", "easier-than-people").ok().out
    assert told.endswith("no longer in use.\n")
    assert "### Easier than people" not in reel("pack").ok().out
    assert reel("doctor").ok()
    reel("exemplar", "anchor", "easier-than-people").ok()
    assert "### Easier than people" in reel("pack").ok().out
    assert kit.is_dir()


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize("verb", ["show", "anchor", "activate", "retire"])
def test_an_unknown_one_is_refused_with_the_nearest(reel: Reel, verb: str) -> None:
    done = reel("exemplar", verb, "up-at-six")
    assert (done.code, done.out) == (1, "")
    assert done.err == "Error: There is no example 'up-at-six'.\nHint: did you mean up-at-five?\n"
    assert reel("exemplar", verb, "qqq").err.endswith("Hint: see them with  reel example list\n")


@pytest.mark.usefixtures("kit")
def test_more_than_a_bundle_holds_is_said(reel: Reel) -> None:
    for text in ("one", "two", "three"):
        reel("exemplar", "add", "-", "--title", text, "--rests", stdin=text).ok()
    done = reel("exemplar", "activate", "one", "two", "three").ok()
    assert done.err == "6 are in use now; a bundle holds 4 at most.\nNext:  reel pack --explain\n"


def test_a_dry_run_changes_nothing(reel: Reel, taped: Path) -> None:
    before = git(taped, "rev-parse", "HEAD")
    done = reel("exemplar", "add", "--from", f"{SESSION}#4", "--title", "End", "--dry-run").ok()
    assert done.out == (
        f'---\ntitle: End\nrole: general\nadded: 2026-03-01\nsource: "{SESSION}#4-4"\n---\n'
        "**Ada:** In a town called <End>. Population: me.\n"
    )
    assert done.err == '"End" is an example now. Nothing was changed (--dry-run).\n'
    for arguments in (["anchor", "up-at-five"], ["retire", "up-at-five"]):
        assert reel("exemplar", *arguments, "--dry-run").ok().out == ""
    assert (git(taped, "rev-parse", "HEAD"), git(taped, "status", "--porcelain")) == (before, "")


def test_without_history_nothing_is_changed_and_the_way_is_said(reel: Reel, kit: Path) -> None:
    (kit / ".git").rename(kit.parent / "history")
    done = reel("exemplar", "anchor", "up-at-five")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: ada has no history (git) yet")
    assert reel("exemplar", "list").ok().out == LISTED


def test_a_session_that_was_taken_back_is_not_quoted(reel: Reel, taped: Path) -> None:
    event = Event(1, "retract", "2026-03-01T20:00:00Z", "wrong chat", SESSION)
    (taped / "tape/events.md").write_bytes(append_events(None, [event], "tape/events.md"))
    done = reel("exemplar", "add", "--from", f"{SESSION}#1-2", "--title", "x")
    assert (done.code, done.err) == (
        1,
        f"Error: Chat {SESSION} was taken back, so nothing is quoted from it.\n",
    )
