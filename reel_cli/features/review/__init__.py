"""`reel review`: proposals and edits that wait for a person's decision."""
