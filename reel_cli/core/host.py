"""Detection of the local machine; nothing goes to another host unless a person allows it."""

from ipaddress import ip_address


def is_this_machine(host: str) -> bool:
    """Return whether a host, by name or address, is this machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
