"""Words of a printed command are read back as they are, and as little quoted as can be."""

import shlex

import pytest

from reel_cli.core.shell import join, quote


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("kettle", "kettle"),
        ("the kettle", "'the kettle'"),
        ("mother's ramipril", '"mother\'s ramipril"'),
        ("it's $5", "'it'\"'\"'s $5'"),
        ("it's a `", "'it'\"'\"'s a `'"),
    ],
)
def test_an_apostrophe_is_kept_in_double_quotes_where_nothing_in_them_means_more(
    word: str, shown: str
) -> None:
    assert quote(word) == shown
    assert shlex.split(join(["reel", word])) == ["reel", word]
