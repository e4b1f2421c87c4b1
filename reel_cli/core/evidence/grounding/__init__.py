"""Names, numbers, dates and quotations compared with their source."""
