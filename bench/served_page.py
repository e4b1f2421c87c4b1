"""Measure the pages of `reel serve`: first and last byte of each, processor time, and the server's memory.

Each page is asked for in turn with `reel pack`, so that both meet the same load of the machine.

python bench/served_page.py KIT [--times 5]
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

PATHS = (
    *("/", "/life", "/memory/M-300", "/known", "/who", "/then"),
    *("/find?q=the+ferry", "/chats", "/chat/2025-01-15-1", "/evening", "/decide", "/decide/look"),
)
TICKS = os.sysconf("SC_CLK_TCK")


def spent(process: int) -> float:
    """Return the processor seconds of a process and of the commands that it ran."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def ask(port: int, path: str, cookie: str, process: int) -> tuple[float, float, float, int]:
    """Return the seconds to the first and the last byte of a page, the processor's, and the page's size."""
    before, began = spent(process), time.perf_counter()
    line = HTTPConnection("127.0.0.1", port, timeout=600)
    line.request("GET", path, headers={"Cookie": cookie})
    answer = line.getresponse()
    first = time.perf_counter() - began
    size = len(answer.read())
    assert answer.status == 200, (path, answer.status)
    return first, time.perf_counter() - began, spent(process) - before, size


def enter(port: int, key: str) -> str:
    line = HTTPConnection("127.0.0.1", port, timeout=600)
    line.request("GET", f"/?key={key}")
    return (line.getresponse().getheader("set-cookie") or "").partition(";")[0]


def peak(process: int) -> float:
    """Return the most memory that a process had, in MB."""
    told = Path(f"/proc/{process}/status").read_text("utf-8")
    return int(re.findall(r"VmHWM:\s+(\d+)", told)[0]) / 1024


def pack(kit: str) -> tuple[float, float]:
    """Return the seconds of `reel pack`, and the processor's."""
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "reel_cli", "--kit", kit, "pack"], capture_output=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, used


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
            for path in PATHS:
                ask(port, path, cookie, server.pid)
                packs, told = [], []
                for _ in range(given.times):
                    packs.append(pack(given.kit))
                    told.append(ask(port, path, cookie, server.pid))
                first, last, used = (statistics.median(one[place] for one in told) for place in range(3))
                beside, beside_used = (statistics.median(one[place] for one in packs) for place in range(2))
                size, most = told[0][3] / 1e6, peak(server.pid)
                print(
                    f"{path}: {first:.2f} s, whole {last:.2f} s, processor {used:.2f} s, {size:.2f} MB;"
                    f" reel pack {beside:.2f} s, processor {beside_used:.2f} s; memory so far {most:.0f} MB"
                )
        finally:
            server.terminate()
    return 0


if __name__ == "__main__":
    sys.exit(main())
