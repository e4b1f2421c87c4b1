"""Measure the pages of `reel serve`: first and last byte of each, and the server's memory.

python bench/served_page.py KIT [--times 5]
"""

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

PATHS = (
    *("/", "/life", "/memory/M-300", "/known"),
    *("/find?q=the+ferry", "/chats", "/evening", "/decide"),
)


def ask(port: int, path: str, cookie: str) -> tuple[float, float, int]:
    """Return the seconds to the first and the last byte of a page, and its size."""
    began = time.perf_counter()
    line = HTTPConnection("127.0.0.1", port, timeout=600)
    line.request("GET", path, headers={"Cookie": cookie})
    answer = line.getresponse()
    first = time.perf_counter() - began
    size = len(answer.read())
    assert answer.status == 200, (path, answer.status)
    return first, time.perf_counter() - began, size


def enter(port: int, key: str) -> str:
    line = HTTPConnection("127.0.0.1", port, timeout=600)
    line.request("GET", f"/?key={key}")
    return (line.getresponse().getheader("set-cookie") or "").partition(";")[0]


def peak(process: int) -> float:
    """Return the most memory that a process had, in MB."""
    told = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmHWM:\s+(\d+)", told)[0]) / 1024


def median(times: int, work: Callable[[], float]) -> float:
    return statistics.median(work() for _ in range(times))


def pack(kit: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "reel_cli", "--kit", kit, "pack"], capture_output=True, check=True)
    return time.perf_counter() - began


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("kit")
    options.add_argument("--times", type=int, default=5)
    given = options.parse_args()
    command = [sys.executable, "-m", "reel_cli", "--kit", given.kit, "serve", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout is not None
        try:
            found = re.findall(r":(\d+)/\?key=(\S+)", server.stdout.readline())[0]
            port = int(found[0])
            cookie = enter(port, found[1])
            pack(given.kit)
            print(f"reel pack: {median(given.times, lambda: pack(given.kit)):.2f} s")
            for path in PATHS:
                ask(port, path, cookie)
                told = [ask(port, path, cookie) for _ in range(given.times)]
                first, last = (statistics.median(one[place] for one in told) for place in (0, 1))
                size, most = told[0][2] / 1e6, peak(server.pid)
                print(
                    f"{path}: {first:.2f} s, whole {last:.2f} s, {size:.2f} MB; memory so far {most:.0f} MB"
                )
        finally:
            server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
