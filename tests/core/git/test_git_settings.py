"""Settings of git that are a person's own: unusual ones, and ones that git cannot read."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.installed_features import is_installed

KIT = Path(__file__).parents[3] / "kits" / "ada"
WHO = "[user]\n name = a\n email = a@b\n"
SETTINGS = {
    "bare repositories": "[safe]\n bareRepository = explicit\n",
    "a bad default branch": "[init]\n defaultBranch = bad..name\n templateDir = /nonexistent\n",
    "an empty default branch": '[init]\n defaultBranch = " "\n',
    "a bad date": "[log]\n date = bad\n[gc]\n reflogExpire = bad\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_would_break_git_do_not_break_reel(reel: Reel, name: str) -> None:
    settings = reel.cwd / "gitconfig"
    settings.write_text(WHO + SETTINGS[name])
    reel.env["GIT_CONFIG_GLOBAL"] = str(settings)
    reel("init", "ada", "--template", KIT).ok()
    reel.cwd /= "ada"
    reel("backup", "../ada.bundle").ok()
    if is_installed("purge"):
        reel("purge", "--match", "Perhaps", "--confirm", "Ada").ok()
    reel("tape", "verify").ok()


@pytest.mark.parametrize("broken", ["[bro ken\n", "[core]\n filemode = perhaps\n"])
def test_settings_that_git_cannot_read_are_no_tampering(reel: Reel, broken: str) -> None:
    reel("init", "ada", "--template", KIT).ok()
    settings = reel.cwd / "broken"
    settings.write_text(broken)
    reel.cwd /= "ada"
    reel.env["GIT_CONFIG_GLOBAL"] = str(settings)
    for command in (("tape", "verify"), ("forget", "M-012", "--yes"), ("backup", "../ada.bundle")):
        done = reel(*command)
        assert done.code == 3, command
        assert "git cannot read its settings" in done.err, done.err
        assert "not as recorded" not in done.out
    assert reel("doctor").code in (1, 3)
