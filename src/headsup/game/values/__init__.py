"""Basic values: cards, hands, money and dates, and the collections that hold them."""
