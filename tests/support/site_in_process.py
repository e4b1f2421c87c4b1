"""The pages of a kit asked for in the test's own process, without a socket."""

from pathlib import Path

from tests.support.served_kit import Browser, make_app


class SiteInProcess(Browser):
    """The pages of a kit, as its browser is given them."""

    def __init__(self, kit: Path, *, read_only: bool = False) -> None:
        super().__init__(make_app(kit, read_only=read_only), kit)
        self.enter()
