"""`reel view`: one web page of a kit, to look at and to keep."""
