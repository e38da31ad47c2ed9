"""Paytables for a target: which pays may vary, what each is worth, and the tables that meet it."""
