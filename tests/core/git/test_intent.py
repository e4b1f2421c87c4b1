"""Places a change may write to: inside the kit, and never one of the disk's own special names."""

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.git.intent import OWN_NAMES, check_path

NOT_WRITTEN = (
    *("", ".", "..", "/x", "../x", "a/../x", "a//x", "./x", "a/", "a\\x", "C:/x", "c:x", "a\nb", "a\x1bb"),
    *(".git/config", ".Git/config", ".GIT", "shelf/.git/config", ".git./config", ".git /hooks/x", ".git..."),
    *("git~1/config", "GIT~1", "shelf/git~2/x", ".reel/state/txn", ".REEL/x", ".Reel./x", "reel~1/state"),
    *(
        ".g\u200cit/config",
        ".gi\u2060t",
        "Kit.YAML",
        "KIT.yaml",
        "kit.yaml.",
        "RING0/identity.md",
        "Ring1/x.md",
    ),
    *("ring0./identity.md", "TAPE/2026/x.md", "Facts.yaml", ".GitAttributes", "shared-context.md", "a\udcff"),
)
WRITTEN = (
    *(*OWN_NAMES.values(), "ring0/identity.md", "shelf/Kit.YAML", "shelf/notes/README", "domain/Recipes.csv"),
    *("shelf/con.md", "shelf/a b.md", "shelf/ü.md", "story/01.md", "digit~1.md", "shelf/.gitkeep"),
)


@pytest.mark.parametrize("path", NOT_WRITTEN)
def test_a_change_never_writes_there(path: str) -> None:
    with pytest.raises(ReelError, match="is not the name of a file inside a kit"):
        check_path(path)


@pytest.mark.parametrize("path", WRITTEN)
def test_a_change_may_write_there(path: str) -> None:
    check_path(path)
