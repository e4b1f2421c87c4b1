"""Characters and lore as other programs keep them: cards, lorebooks, exported memories, notes."""
