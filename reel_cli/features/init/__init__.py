"""`reel init`: new kits and their templates."""
