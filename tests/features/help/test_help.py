"""`reel help`: short for every day, whole on request, and each word explained once."""

from itertools import chain
from pathlib import Path

import pytest

from reel_cli.features.help.situations import SITUATIONS
from reel_cli.features.help.terms import TERMS, WORDS
from reel_cli.features.help.topics import list_topics
from reel_cli.features.table import COMMANDS, PANELS
from reel_cli.terminal.unknown_command import MEANT
from tests.support.cli import CHECKOUT, Reel
from tests.support.hints import commands_in, problem_of

TOPICS = (*WORDS, *SITUATIONS, *TERMS)


def test_the_short_help_begins_with_the_four_words_of_every_day(reel: Reel) -> None:
    told = reel("--help", env={"COLUMNS": "80"}).ok().out
    everyday = told.partition("Every day:\n")[2].split("\n\n")[0]
    assert [line.split()[0] for line in everyday.splitlines()] == ["start", "end", "recall", "review"]
    assert len(told.splitlines()) <= 34
    assert told == reel("help", env={"COLUMNS": "80"}).ok().out
    assert "reel help --all" in told
    assert "purge" not in told


def test_the_whole_help_does_not_name_itself(reel: Reel) -> None:
    assert "reel help --all" in reel("help").ok().out
    assert "reel help --all" not in reel("help", "--all").ok().out


def test_all_commands_are_listed_once_in_their_groups(reel: Reel) -> None:
    told = reel("help", "--all").ok().out
    names = list(chain(*PANELS.values()))
    assert len(names) == len(set(names))
    for name in COMMANDS:
        assert told.count(f"\n  {name} ") == 1
    assert list(COMMANDS) == [name for name in names if name in COMMANDS]


@pytest.mark.parametrize("columns", ["60", "80"])
def test_a_group_lists_its_commands_with_their_whole_summaries(reel: Reel, columns: str) -> None:
    told = reel("example", "--help", env={"COLUMNS": columns}).ok().out
    said = " ".join(told.split())
    assert "retire No longer use examples in bundles; they stay in the kit." in said
    assert max(map(len, told.splitlines())) <= int(columns)
    for group in ("tape", "memory", "fact", "review", "domain", "export"):
        listed = reel(group, "--help", env={"COLUMNS": columns}).ok().out.partition("\nCommands:\n")[2]
        assert listed, group
        assert "..." not in listed, group


def test_a_command_is_explained_as_by_its_own_help(reel: Reel) -> None:
    assert reel("help", "tape", "retract").ok().out == reel("tape", "retract", "--help").ok().out
    assert reel("search", "--help").ok().out == reel("recall", "--help").ok().out


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.term)
def test_a_word_is_explained_in_few_lines(reel: Reel, topic: object) -> None:
    assert isinstance(topic, tuple)
    told = reel("help", topic[0], tty=True, env={"COLUMNS": "80"}).ok().out
    own = told.partition("\n\nUsage:")[0].splitlines()
    assert 1 <= len(own) <= 8
    assert all(len(line) <= 80 for line in own)
    assert not any("REEL" in line for line in own)


@pytest.mark.needs
def test_every_command_that_a_word_leads_to_can_be_typed() -> None:
    typed = [typed for topic in TOPICS for typed, _ in topic.commands] + list(MEANT.values())
    assert len(typed) > len(MEANT)
    ours = [line for line in typed if not line.startswith("git ")]
    assert [f"{line}: {problem}" for line in ours if (problem := problem_of(line))] == []


def test_no_word_means_two_things() -> None:
    words = [topic.term for topic in TOPICS] + [word for topic in TOPICS for word in topic.also]
    assert len(words) == len(set(words))
    assert len(list_topics()) == len(words)
    assert not set(MEANT) & set(COMMANDS)


def test_the_glossary_says_what_the_help_says() -> None:
    page = (CHECKOUT / "docs/glossary.md").read_text(encoding="utf-8")
    for topic in (*WORDS, *TERMS):
        assert f"- **{topic.term}**: {topic.meaning}\n" in page


def test_the_help_works_outside_a_kit_and_in_a_damaged_one(reel: Reel, tmp_path: Path) -> None:
    (tmp_path / "kit.yaml").write_text("window: [lots\n")
    assert reel("help", "memory", cwd=tmp_path).ok().out == reel("help", "memory").ok().out


@pytest.mark.parametrize(
    "words",
    [
        *("commitments", "relationships", "template", "where things stand", "emotional", "short page"),
        *("lines to recall by", "pinned", "kept for good", "contradiction", "editor", "a close look"),
    ],
)
def test_words_of_the_screens_are_explained(reel: Reel, words: str) -> None:
    assert reel("help", *words.split()).ok().out.partition(":")[0].strip()


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("date", "date"),
        ("wrong day", "date"),
        ("close", "note"),
        ("done", "note"),
        ("diary", "page"),
        ("guard", "guard"),
        ("moving", "move"),
        ("moved", "move"),
        ("swipe", "chat"),
        ("name", "settings"),
        ("moving a kit", "move"),
        ("laptop", "move"),
        ("new laptop", "move"),
        ("refuse", "refused"),
        ("refusal", "refused"),
        ("phone", "phone"),
        ("quit", "leave"),
        ("stop", "leave"),
        ("own", "fact"),
        ("tag", "level"),
        ("rules", "identity, directives"),
        ("half", "refused"),
        ("drift", "drift"),
        ("confidential", "privacy"),
        ("secret", "privacy"),
        ("set aside", "set aside"),
        ("less certain", "certain"),
        ("copy", "clipboard"),
        ("kept for good", "kept for good"),
        ("pinned", "memory"),
        ("moment", "moment"),
        ("worth a look", "doubt"),
        ("told once", "told once"),
        ("ring", "ring"),
        ("git", "git"),
        ("commit", "git"),
        ("chatgpt", "chatgpt"),
        ("take back", "undo"),
        ("retract", "wrong chat"),
        ("doubt", "doubt"),
        ("due", "due"),
        ("medicine", "fact"),
        ("terminal", "terminal"),
        ("template", "template"),
        ("retrieval anchors", "anchor phrase"),
        ("publish", "privacy"),
        ("internet", "privacy"),
        ("password", "privacy"),
        ("save", "backup"),
        ("safe", "backup"),
        ("usb", "backup"),
        ("poem", "shelf"),
        ("summary", "page"),
        ("crash", "lost"),
        ("lose", "lost"),
        ("go back", "undo"),
        ("rejected", "undo"),
        ("too long", "window"),
        ("close the window", "leave"),
        ("nano", "editor"),
        ("vi", "editor"),
        ("moved folder", "move"),
        ("gdpr", "privacy"),
        ("colleague", "privacy"),
        ("anonymous", "privacy"),
        ("upload", "privacy"),
        ("reject", "approve"),
    ],
)
def test_a_person_s_own_word_finds_what_they_mean(reel: Reel, words: str, meant: str) -> None:
    told = reel("help", *words.split()).ok()
    assert (told.out.partition(":")[0].casefold(), told.err) == (meant, "")


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("sillytavern", "reel pack --for sillytavern"),
        ("lorebook", "reel import lorebook FILE"),
        ("world info", "reel import lorebook FILE"),
        ("private", 'reel purge --match "TEXT"'),
        ("npc", "reel init marta --template game-npc --name Marta"),
        ("character card", "reel init mira --card FILE"),
    ],
)
def test_words_of_other_programs_lead_to_commands(reel: Reel, word: str, typed: str) -> None:
    """They were unknown, or guessed to be a close look."""
    assert f"  {typed}  " in reel("help", *word.split()).ok().out


def test_who_asks_how_to_correct_is_led_to_an_editor_and_not_to_forgetting(reel: Reel) -> None:
    told = reel("help", "correct").ok()
    assert told.err == ""
    assert told.out.index("reel edit TITLE") < told.out.index("reel forget TITLE")


@pytest.mark.parametrize("command", ["review", "recall", "record", "redo", "edit"])
def test_a_command_s_name_is_that_command_and_no_other_word(reel: Reel, command: str) -> None:
    """`reel help recall` began with the index, and `review` with approving."""
    assert reel("help", command).ok().out == reel(command, "--help").ok().out


@pytest.mark.parametrize(
    ("word", "meant"), [("banjo", ""), ("banana", ""), ("memroy", "memory"), ("tpae", "tape")]
)
def test_only_a_mistyped_word_is_guessed(reel: Reel, word: str, meant: str) -> None:
    hint = f"did you mean  reel help {meant}" if meant else "reel help  lists what there is"
    assert reel("help", word).err.endswith(f"Hint: {hint}\n")


@pytest.mark.parametrize("word", ["erase", "delete", "remove", "get rid of"])
def test_who_wants_something_gone_is_led_to_forget_and_purge(reel: Reel, word: str) -> None:
    told = reel("help", *word.split()).ok().out
    assert told.index("  reel forget TITLE ") < told.index('  reel purge --match "TEXT" --dry-run ')
    assert [one for one in commands_in(told) if problem_of(one) is not None] == []
    assert len(commands_in(told)) >= 5


@pytest.mark.parametrize("columns", ["40", "60", "80"])
@pytest.mark.parametrize("command", ["purge", "forget", "record", "end", "init"])
def test_the_example_of_a_command_is_never_broken(reel: Reel, command: str, columns: str) -> None:
    told = reel("help", command, env={"COLUMNS": columns}).ok().out
    whole = " ".join(told.rpartition("Example:")[2].split())
    assert whole.startswith("reel ")
    assert any(line.strip().removeprefix("Example:").strip() == whole for line in told.splitlines())
