"""Real chips on a table: guests and shifts."""
