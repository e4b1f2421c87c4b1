"""A few chains of kills at system calls, as `bench/kill_all.py` makes them by the thousand."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "bench/kill_all.py"


@pytest.mark.skipif(sys.platform != "linux", reason="the library that counts calls is loaded as Linux does")
@pytest.mark.skipif(
    shutil.which("cc") is None, reason="there is no compiler for the library that counts calls"
)
def test_a_few_chains_of_kills_do_no_harm() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCH), "--kills", "4", "--seed", "3", "--only", "record,purge"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "harm: 0" in done.stdout
