"""`reel config`: what is set, what a setting does, and setting it without touching the rest."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from reel_cli.core.errors import UsageError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.settings.plan import (
    SettingHelp,
    find_settings,
    list_help,
    plan_setting,
    read_value,
    value_of,
)
from tests.support.cli import Reel, git

SAMPLES = {
    "text": "Bo",
    "protocol": "REEL/1.1",
    "author": "Bo <bo@example.org>",
    "size": "4k",
    "share": "0.42",
    "range": "[0.05, 0.2]",
    "count": "7",
    "age": "90d",
    "every": "5 sessions",
    "flag": "yes",
    "lines": "[remember]",
    "hosts": "[example.org]",
    "tokenizer": "cl100k_base",
    "server": "lmstudio",
    "embeddings": "http://localhost:1234/v1",
    "adapter": "healthcare",
    "label": "Merke",
    "experience": "gated",
    "store": "sqlite",
    "topology": "expand",
    "effort": "high",
    "policy": "hybrid",
}
"""A value of each kind."""
VALUES = {
    "live": "0.6",
    "ages.L2": "120d",
    "ages.L3": "900d",
    "ages.L1": "20d",
    "timezone": "Europe/Helsinki",
    "dream.price": "3/15",
}
"""The same of settings that not every value of their kind makes sense for."""


def group_by_kind() -> Mapping[str, Sequence[str]]:
    """Return the paths of the settings of each kind."""
    found: dict[str, list[str]] = {}
    for path, one in list_help().items():
        found.setdefault(one.row.kind, []).append(path)
    return found


@pytest.mark.usefixtures("kit")
def test_what_differs_from_the_defaults_is_shown(reel: Reel) -> None:
    assert "name  Ada" in reel("config").ok().out
    reel("config", "dream.every", "10", "sessions").ok()
    assert "dream.every  10 sessions  default 7d" in reel("config").ok().out
    found = {one["key"]: one for one in json.loads(reel("config", "--json").ok().out)}
    assert found["dream.every"]["value"] == "10 sessions"
    assert len(reel("config", "--all").ok().out.splitlines()) == len(list_help())


@pytest.mark.usefixtures("kit")
def test_a_setting_is_explained_by_its_path_or_its_end(reel: Reel) -> None:
    told = reel("config", "dream.threshold").ok().out
    assert told.startswith("dream.threshold: 0.3\n")
    assert "Default 0.3." in told
    assert reel("config", "threshold").ok().out == told
    assert "dream.over" in reel("config", "dream").ok().out
    several = reel("config", "every")
    assert (several.code, "dream.every" in several.err) == (2, True)


def sample(setting: SettingHelp) -> str:
    """Return a value that a setting may have and that no kit has of itself."""
    return VALUES.get(setting.path, SAMPLES[setting.row.kind])


@pytest.mark.parametrize("setting", list(list_help().values()), ids=lambda one: one.path)
def test_every_setting_is_set_and_taken_out_again(kit: Path, setting: SettingHelp) -> None:
    file, path = kit / "kit.yaml", setting.path

    def set_to(value: str) -> str:
        change = plan_setting(Snapshot(WorkTree(kit), "ada"), setting, value)
        if change is not None:
            assert list(change.writes) == ["kit.yaml"]
            file.write_bytes(change.writes["kit.yaml"] or b"")
        return file.read_text()

    before = file.read_text()
    usual = value_of(Snapshot(WorkTree(kit), "ada").settings, path)
    after = set_to(sample(setting))
    now = Snapshot(WorkTree(kit), "ada")
    assert (value_of(now.settings, path) == usual) == (after == before)
    # written, and read by its field; a value that is the default already may be left out
    assert read_value(now, path) == sample(setting) or sample(setting) == setting.default
    assert value_of(now.settings, path) is not None
    if path == "name":
        return
    assert all(line in after for line in before.splitlines() if line[:1] == "#")
    assert set_to("default").splitlines() == [
        line for line in before.splitlines() if not line.startswith(f"{path}:")
    ]


@pytest.mark.parametrize("path", sorted(one[0] for one in group_by_kind().values()))
def test_a_setting_of_each_kind_is_set_and_taken_out_by_the_command(reel: Reel, kit: Path, path: str) -> None:
    before, value = (kit / "kit.yaml").read_text(), sample(list_help()[path])
    planned = reel("config", path, value, "--dry-run").ok()
    assert (kit / "kit.yaml").read_text() == before
    done = reel("config", path, value).ok()
    same = "has that value already" in done.err
    assert (same, same) == ("has that value already" in planned.err, (kit / "kit.yaml").read_text() == before)
    if path == "name":
        return
    reel("config", path, "default").ok()
    after = (kit / "kit.yaml").read_text()
    assert [line for line in before.splitlines() if not line.startswith(f"{path}:")] == after.splitlines()


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize(
    ("typed", "code", "told"),
    [
        (("window", "lots"), 1, "Error: window is 'lots', which is not a size"),
        (("live", "0.1"), 1, "must be from 0.4 to below 1"),
        (("ages.L1", "9y"), 1, "ages should grow"),
        (("widow",), 2, "did you mean  reel config window"),
        (("widow", "8k"), 2, "did you mean  reel config window"),
        (("dream", "7d"), 2, "is a section"),
        (("mcp.trust", "[all]"), 1, "not one of"),
        (("mcp.trust", "[remember"), 1, "the value of mcp.trust"),
        (("timezone", "a: b"), 1, "is not a known zone"),
        (("name", ""), 2, "kit.yaml: name is '', which is not a name of at most 80 characters, on one line."),
        (("name", "Ada\nNext:  rm"), 2, "which is not a name"),
        (("user", " "), 2, "as usual:  reel config user default"),
        (("user", "{{user}}"), 2, "which is not a name"),
        (("author", "bo@example.org"), 2, "kit.yaml: author is 'bo@example.org', which is not Name <mail>."),
        (("author", "bo@example.org"), 2, 'a name is enough:  reel config author "Your Name"'),
        (("window", ""), 2, "kit.yaml: window is '', which is not a size"),
        (("recall.model", "a\x1b[2J"), 2, "which is not one line"),
    ],
)
def test_a_slip_changes_nothing(reel: Reel, kit: Path, typed: tuple[str, ...], code: int, told: str) -> None:
    before, head = (kit / "kit.yaml").read_bytes(), git(kit, "rev-parse", "HEAD")
    done = reel("config", *typed)
    assert done.code == code
    assert told in done.err
    if code:
        assert ((kit / "kit.yaml").read_bytes(), git(kit, "rev-parse", "HEAD")) == (before, head)


@pytest.mark.usefixtures("kit")
def test_an_adapter_that_is_not_there_is_refused_with_those_that_are(reel: Reel, kit: Path) -> None:
    before = git(kit, "rev-parse", "HEAD")
    done = reel("config", "adapter", "nosuch")
    assert done.code == 1
    assert "there is no adapter called 'nosuch'" in done.err
    assert "healthcare" in done.err
    assert git(kit, "rev-parse", "HEAD") == before
    (kit / "adapters").mkdir()
    (kit / "adapters/mine.yaml").write_text("categories: {boats: what floats}\n")
    reel("config", "adapter", "mine").ok()


@pytest.mark.usefixtures("kit")
def test_a_price_that_is_none_is_refused_before_a_dream_has_to(reel: Reel) -> None:
    for wrong in ("banana", "3/", "3/15/7"):
        refused = reel("config", "dream.price", wrong)
        assert (refused.code, f"'{wrong}' is not a price" in refused.err) == (1, True)
    reel("config", "dream.price", "3/15").ok()


def test_a_setting_is_one_commit_that_can_be_taken_back(reel: Reel, kit: Path) -> None:
    before = (kit / "kit.yaml").read_text()
    assert "window 32k, was 8k" in reel("config", "window", "32k").ok().out
    assert "nothing was changed" in reel("config", "window", "32768").ok().err
    reel("undo", "--yes").ok()
    assert (kit / "kit.yaml").read_text() == before


@pytest.mark.usefixtures("kit")
def test_a_section_that_is_a_word_alone_keeps_it(reel: Reel, kit: Path) -> None:
    reel("config", "via", "lmstudio").ok()
    reel("config", "via.model", "qwen").ok()
    assert "via: {to: lmstudio, model: qwen}" in (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(
        (kit / "kit.yaml").read_text().replace("{to: lmstudio, model: qwen}", "lmstudio")
    )
    reel("config", "via.to", "ollama").ok()
    assert "via: ollama" in (kit / "kit.yaml").read_text()


@pytest.mark.usefixtures("kit")
@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("author: Kim", ("author", "Kim", "Lee", "<kim@example.org>")),
        ("author: Kim", ("author", "default")),
        ("window: lots", ("window", "16k")),
        ("timezone: Nowhere/Here", ("timezone", "default")),
        ("ages: {L1: 9y}", ("ages.L1", "20d")),
    ],
)
def test_a_value_that_nothing_can_be_done_with_is_set_right(
    reel: Reel, kit: Path, line: str, typed: tuple[str, ...]
) -> None:
    key = line.partition(":")[0]
    kept = [one for one in (kit / "kit.yaml").read_text().splitlines() if not one.startswith(f"{key}:")]
    (kit / "kit.yaml").write_text("\n".join([*kept, line, ""]))
    git(kit, "commit", "-qam", "by hand")
    assert "kit.yaml" in reel("review").err + reel("tape", "flag", "x").err
    reel("config", *typed).ok()
    reel("config", *typed).ok()
    assert reel("tape", "flag", "the lake").ok().out == "Marked.\n"
    assert kept[0] in (kit / "kit.yaml").read_text()
    assert git(kit, "status", "--porcelain") == ""


def test_a_name_that_was_mistyped_at_the_beginning_is_put_right_in_the_texts(reel: Reel) -> None:
    reel("init", "orlo", "--template", "blank", "--name", "Orlo", "--user", "a lot").ok()
    kit = reel.cwd / "orlo"
    identity = kit / "ring0/identity.md"
    identity.write_text("You are Orlo, and a lot trusts you.\n")
    # saved before the change that is taken back
    os.utime(identity, (0, 0))
    assert "new name" not in reel("config", "user", "Kim", "--dry-run", cwd=kit).ok().err
    done = reel("config", "user", "Kim", cwd=kit).ok()
    assert (
        "The texts of the template have the new name as well: ring0/directives.md, ring2/working.md."
        in done.err
    )
    assert "“a lot” still stands in ring0/identity.md.\nOpen it:  reel edit identity\n" in done.err
    assert "From the first chat on" not in done.err
    assert "until Kim says what suits" in (kit / "ring0/directives.md").read_text()
    assert "- Finding out who Orlo is, with Kim." in (kit / "ring2/working.md").read_text()
    assert "a lot trusts you" in identity.read_text()
    again = reel("config", "user", "Jo", cwd=kit).ok().err
    assert "“a lot” still stands in ring0/identity.md.\nOpen it:  reel edit identity\n" in again
    reel("undo", "--yes", cwd=kit).ok()
    reel("undo", "--yes", cwd=kit).ok()
    assert "until a lot says what suits" in (kit / "ring0/directives.md").read_text()


def test_a_name_in_texts_of_a_kit_with_chats_is_told_and_left(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin="**You:** Hi.\n\n**Ada:** Hello.\n").ok()
    before = (kit / "ring0/identity.md").read_bytes()
    done = reel("config", "name", "Ida").ok()
    assert "“Ada” still stands in ring0/identity.md" in done.err
    assert "Since there was a chat already, reel leaves these texts to you." in done.err.replace("\n", " ")
    assert (kit / "ring0/identity.md").read_bytes() == before


@pytest.mark.usefixtures("kit")
def test_a_value_that_makes_no_sense_is_not_said_to_be_in_the_file(reel: Reel) -> None:
    done = reel("config", "window", "8kk")
    assert done.code == 1
    assert done.err == (
        "Error: window is '8kk', which is not a size like 900, 8k or 32768.\n"
        "Hint: nothing was changed; what it takes:  reel config window\n"
    )
    assert reel("config", "window").ok()


@pytest.mark.usefixtures("kit")
def test_renaming_is_found_by_the_words_for_it(reel: Reel) -> None:
    assert "reel config user NAME" in reel("help", "rename").ok().out


NO_ONE = {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": "/nonexistent", "EMAIL": ""}


def test_the_author_is_named_where_git_names_nobody(reel: Reel, kit: Path) -> None:
    refused = reel("config", "window", "16k", env=NO_ONE)
    assert refused.code == 3
    assert 'any name will do:  reel config author "Your Name"' in refused.err
    reel("config", "author", "Tomas", "Oja", env=NO_ONE).ok()
    assert git(kit, "log", "-1", "--format=%an <%ae>").strip() == "Tomas Oja <me@localhost>"
    reel("config", "author", "Tomas <t@example.org>", env=NO_ONE).ok()
    reel("config", "window", "16k", env=NO_ONE).ok()
    assert git(kit, "log", "-1", "--format=%an <%ae>").strip() == "Tomas <t@example.org>"
    head = git(kit, "rev-parse", "HEAD")
    kept = reel("config", "author", "default", env=NO_ONE)
    assert (kept.code, git(kit, "rev-parse", "HEAD")) == (3, head)
    assert "git does not know your name, so the kit needs one of its own." in kept.err
    reel("config", "author", "default").ok()


def test_a_window_in_which_no_chat_can_begin_is_told_at_once(reel: Reel, kit: Path) -> None:
    working = kit / "ring2/working.md"
    working.write_text(working.read_text() + "- tea is to be bought at the harbour on Sunday\n" * 60)
    git(kit, "commit", "-qam", "by hand")
    assert "No chat can begin so" not in reel("config", "window", "32k").ok().err
    done = reel("config", "window", "2k").ok()
    assert "No chat can begin so: " in done.err
    assert done.err.endswith("To take it back:  reel undo\n")
    assert reel("start").code == 1
    reel("undo", "--yes").ok()
    reel("start").ok()


@pytest.mark.parametrize("key", ["user", "name", "author"])
def test_a_sentence_given_as_a_name_is_asked_about(reel: Reel, kit: Path, key: str) -> None:
    """It was set without a word, and stood in every bundle from then on."""
    given = ("config", key, "I am Sam the writer")
    before = (kit / "kit.yaml").read_bytes()
    asked = reel(*given, stdin="n\n", tty=True, cwd=kit).ok().err
    assert "Is “I am Sam the writer” the name? [y/N]" in asked
    assert "Nothing was changed." in asked
    assert (kit / "kit.yaml").read_bytes() == before
    reel(*given, stdin="y\n", tty=True, cwd=kit).ok()
    assert "I am Sam the writer" in (kit / "kit.yaml").read_text()
    # a program means what it gives
    reel("config", key, "Ana María de la Cruz y Vega", cwd=kit).ok()


def test_default_takes_out_a_value_that_is_the_same_just_now(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.b: a cap that equals the window follows it no more, and may be let go."""
    reel("config", "window", "32k").ok()
    reel("config", "cap", "16k").ok()
    reel("config", "cap", "32k").ok()
    assert "above window" in reel("config", "window", "16k").err
    reel("config", "cap", "default").ok()
    assert "cap:" not in (kit / "kit.yaml").read_text()
    reel("config", "window", "16k").ok()
    assert "already" in reel("config", "cap", "default").ok().err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *(("windw", "window"), ("widnow", "window"), ("tokenzier", "tokenizer"), ("nmae", "name")),
        *(("usr", "user"), ("experence", "experience"), ("zone", "timezone"), ("time_zone", "timezone")),
        *(("facts.shrae", "facts.share"), ("fact.share", "facts.share"), ("persesion", "index.per_session")),
        *(
            (other, "")
            for other in ("lang", "reply", "persona", "pronouns", "temperature", "export", "place")
        ),
        *((other, "") for other in ("theme", "via.url", "colour", "password")),
    ],
)
def test_a_setting_is_offered_for_a_slip_and_not_for_another_word(typed: str, meant: str) -> None:
    """`temperature` was taken for `template`, and `export` for `dream.effort`."""
    with pytest.raises(UsageError) as refused:
        find_settings(typed)
    told = f"did you mean  reel config {meant}" if meant else "all of them:  reel config --all"
    assert refused.value.hint == told
