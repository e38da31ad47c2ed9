"""Deals the tables: the automatic dealer, its pace, the shoe, and cards entered by hand."""
