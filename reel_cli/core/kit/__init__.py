"""Reading a kit: trees, snapshots, settings, text formats, the catalog."""
