"""Kits as they are read: trees, snapshots, settings, text formats, the catalog."""
