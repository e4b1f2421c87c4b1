"""Whether a host is the machine reel runs on: nothing goes elsewhere unless a person says so."""

from ipaddress import ip_address


def is_this_machine(host: str) -> bool:
    """Whether a host, by its name or number, is this machine itself."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
