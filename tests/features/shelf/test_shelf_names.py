"""Names of files on the shelf, and in the ledger."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.git.intent import check_path
from reel_cli.features.shelf.names import LONGEST_PART, clean_name, clean_part
from reel_cli.features.shelf.shelf_file import is_sidecar, ledger_name, title_of

NAMES = st.text(min_size=1, max_size=300)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("plan.md", "plan.md"),
        ("A plan (2).md", "A plan (2).md"),
        ("u\u0308ber.md", "über.md"),
        ("日記.txt", "日記.txt"),
        ("a\nb\x1b\u202e.md", "a_b__.md"),
        ('what? "now": <a|b>*\\.txt', "what_ _now__ _a_b___.txt"),
        ("aux", "_aux"),
        ("Com1.tar.gz", "_Com1.tar.gz"),
        ("comet.txt", "comet.txt"),
        (".gitattributes", "_gitattributes"),
        (".GIT", "_GIT"),
        ("git~1", "_git~1"),
        (".hidden", ".hidden"),
        ("trailing. . ", "trailing"),
        ("...", "_"),
    ],
)
def test_a_name_that_any_disk_can_hold(name: str, clean: str) -> None:
    assert clean_part(name) == clean


@given(NAMES)
@settings(max_examples=100, deadline=None)
def test_what_is_made_plain_stays_so(name: str) -> None:
    clean = clean_part(name)
    assert clean_part(clean) == clean
    assert 0 < len(clean.encode()) <= LONGEST_PART
    assert clean.isprintable()
    assert not set(clean) & set('/<>:"|?*\\')
    assert ledger_name(f"shelf/{clean}").split() == [ledger_name(f"shelf/{clean}")]


@given(NAMES, NAMES)
@settings(max_examples=60, deadline=None)
def test_the_ledger_tells_two_paths_apart(one: str, other: str) -> None:
    assert (ledger_name(one) == ledger_name(other)) is (one == other)


def test_paths_stay_on_the_shelf() -> None:
    assert clean_name("./a//b/plan.md") == "a/b/plan.md"
    for name in ("", ".", "/etc/passwd", "../up", "a/../../b", "a.meta.yml", "/".join(["long" * 30] * 8)):
        with pytest.raises(ReelError):
            clean_name(name)
    assert [is_sidecar(path) for path in ("shelf/a.meta.yml", "ring0/a.meta.yml", "shelf/.meta.yml")] == [
        *(True, False, False),
    ]
    assert [title_of(path) for path in ("shelf/a/first_draft-2.md", "shelf/.env", "shelf/_")] == [
        *("first draft 2", ".env", "_"),
    ]


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
