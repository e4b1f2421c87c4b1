"""Prove by its chain of hashes that a file of a kit's tape is what was recorded.

python verify_chain.py tape/2026/2026-02-25-1.md
"""

import hashlib
import re
import sys
from pathlib import Path

DELIMITER = re.compile(rb'\n<!-- (\{.*"bytes": (\d+)), "hash": "([0-9a-f]{32})"\} -->\n')


def first_broken_line(data: bytes) -> int | None:
    """Return the line of the first block that is not what was recorded; None where the whole file is."""
    end = data.index(b"\n---\n") + 5
    before = digest(b"", data[:end], b"")
    while end < len(data):
        line = data.count(b"\n", 0, end + 1) + 1
        found = DELIMITER.match(data, end)
        if found is None:
            return line
        bare, size, given = found[1] + b"}", int(found[2]), found[3]
        end = found.end() + size + 1
        content = data[found.end() : end - 1]
        if data[end - 1 : end] != b"\n" or digest(before, bare, content) != given:
            return line
        before = given
    return None


def digest(before: bytes, head: bytes, content: bytes) -> bytes:
    """Return one hash of the chain."""
    return hashlib.sha256(before + head + b"\n" + content).hexdigest()[:32].encode()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        broken = first_broken_line(Path(name).read_bytes())
        sys.stdout.write(f"{name}: {'whole' if broken is None else f'broken from line {broken}'}\n")
