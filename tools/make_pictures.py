"""Make the pictures of README: the page of `reel serve` in use, on a copy of kits/ada.

python tools/make_pictures.py    (needs a Chromium on the PATH, and `pip install --group browser`)
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs/pictures"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = {"width": 600, "height": 440}
MOST_BYTES = 150_000
"""Bytes of all pictures together."""
EVENING = "2026-03-11T21:10:00+00:00"


@contextmanager
def serve_copy(folder: Path) -> Iterator[str]:
    """Serve a copy of the kit with an evening recorded in it; yield the address."""
    env = {**os.environ, "REEL_NOW": EVENING, "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state")}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_NAME": "Tomas", f"GIT_{who}_EMAIL": "tomas@example.org"}
    reel = [sys.executable, "-m", "reel_cli"]
    kit = str(folder / "ada")

    def run(*arguments: str) -> None:
        subprocess.run([*reel, *arguments], env=env, cwd=folder, check=True, capture_output=True)

    run("init", kit, "--template", str(ROOT / "kits/ada"))
    run("--kit", kit, "record", str(ROOT / "demo/further-session.json"))
    command = [*reel, "--kit", kit, "serve", "--no-open"]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            yield (server.stdout.readline() if server.stdout is not None else "").strip()
        finally:
            server.terminate()


def take(page: "Page", name: str, at: str) -> None:
    """Take a picture of the page, from the first place at which the selector finds something on."""
    page.locator(at).first.evaluate(
        "one => window.scrollTo(0, one.getBoundingClientRect().top + scrollY - 12)"
    )
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=PICTURES / f"{name}.png")


def take_all(page: "Page", address: str) -> None:
    """Go through an evening, and take the pictures on the way."""
    page.goto(address)
    page.get_by_role("link", name="After a chat", exact=True).first.click()
    page.get_by_label("The answer").fill((ROOT / "demo/reply.md").read_text("utf-8"))
    page.get_by_role("button", name="Read it").click()
    page.get_by_role("heading", name=re.compile("Line by line")).wait_for()
    take(page, "evening", "h3:has-text('What it changes')")
    page.get_by_role("link", name="Life", exact=True).click()
    take(page, "life", "h2")
    page.get_by_role("link", name="Find", exact=True).click()
    # the script that searches may come after the field: later keys are heard
    page.get_by_role("searchbox").press_sequentially("go and eat the soup", delay=20)
    page.locator("#found mark").first.wait_for()
    take(page, "find", "h2")


def main() -> int:
    """Make the pictures, and tell how large they are."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        sys.stderr.write("There is no Chromium on the PATH.\n")
        return 1
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, serve_copy(Path(folder)) as address, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium)
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        take_all(page, address)
        browser.close()
    sizes = {file.name: file.stat().st_size for file in sorted(PICTURES.glob("*.png"))}
    sys.stdout.write("".join(f"{name}: {size:,} bytes\n" for name, size in sizes.items()))
    return int(sum(sizes.values()) > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
