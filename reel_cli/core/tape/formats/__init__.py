"""Transcript formats: a reader each, a row in `format_rows.py`, and one way in, `open_source.py`."""
