"""The script that brings Chromium for the tests in a browser never lets them seem to have been run."""

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[3] / "tools"


def run_script(script: str, tmp_path: Path, *programs: str) -> subprocess.CompletedProcess[str]:
    """Run a script where nothing but these programs is installed."""
    for name in ("id", "dirname", *programs):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    return subprocess.run(
        [shutil.which("sh") or "sh", TOOLS / script, "python"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("script", ["install_browser.sh", "test_browser.sh"])
def test_where_no_browser_can_be_installed_it_says_so_and_fails(script: str, tmp_path: Path) -> None:
    done = run_script(script, tmp_path, "sh")
    assert done.returncode == 3
    assert "There is no Chromium, and none can be installed: there is no apt-get." in done.stdout


def test_a_browser_that_is_there_is_taken(tmp_path: Path) -> None:
    place = tmp_path / "chromium"
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)
    done = run_script("install_browser.sh", tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{place}\n")
