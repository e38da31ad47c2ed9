"""Plain values: cards, hands, money, dates, and the collections that hold them."""
