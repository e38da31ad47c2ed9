"""Audits a house: its logs, the tables derived from them, its books and its chain."""
