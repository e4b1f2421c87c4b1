"""The working notes on a page: what it says of them, how alike two are, and what becomes of them."""
