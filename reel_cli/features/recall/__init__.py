"""`reel recall`: finding a moment again."""
