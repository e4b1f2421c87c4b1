"""One module a command: parse, call one flow, show."""
