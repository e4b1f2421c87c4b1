"""A bundle without room, for tests of what fades where nothing else keeps it."""

import pytest

from reel_cli.features.fading.fading import BundleForms
from reel_cli.features.fading.maintenance_pass import Pass


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the bundles of this test show no memory and no line: then none of these stays for being shown."""
    monkeypatch.setattr(Pass, "_bundled", lambda _: BundleForms({}))
