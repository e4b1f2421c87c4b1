"""A name and an address as a person or git gives them."""

from reel_cli.core.git.identity import parse_identity


def test_a_name_and_an_address() -> None:
    assert parse_identity(" Bo Lind  < bo@example.org >\n") == ("Bo Lind", "bo@example.org")
    for none in ("Bo", "Bo <>", "<bo@example.org>", " . <bo@example.org>", "B\x1bo <b@x>", "Bo <b@x> Lind"):
        assert parse_identity(none) is None


def test_a_long_stretch_of_spaces_is_read_at_once() -> None:
    # it took a minute, in the cube of its length
    assert parse_identity("Bo" + " " * 5000 + "\x00<bo@example.org>") is None
    assert parse_identity(" " * 100_000) is None
