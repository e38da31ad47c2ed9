"""The demonstration: its house, its tables, its bots."""
