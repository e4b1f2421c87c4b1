"""Places a change may write to: inside the kit, and never one of the disk's own special names."""

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.git.intent import OWN_NAMES, check_path
from reel_cli.features.shelf.names import clean_name

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


@pytest.mark.parametrize(
    "name",
    [
        *("Kit.YAML", "RING0/identity.md", ".Git/config", ".REEL/x", "git~1/config", ".git./x", ".git /x"),
        *(
            "con",
            "AUX.txt",
            "nul",
            "com1.md",
            "a:b",
            "x\\y",
            "plan.md.",
            "plan ",
            "a\nb",
            ".g\u200cit/x",
            "LPT9",
        ),
    ],
)
def test_whatever_a_file_is_called_it_lies_on_the_shelf_by_a_name_every_disk_can_hold(name: str) -> None:
    path = f"shelf/{clean_name(name)}"
    check_path(path)
    for part in path.split("/"):
        assert part == part.rstrip(". ")
        assert not set('<>:"|?*\\') & set(part)
        assert part.partition(".")[0].casefold() not in {"con", "aux", "nul", "com1", "lpt9"}
        assert not part.casefold().startswith((".git", "git~", ".reel"))
