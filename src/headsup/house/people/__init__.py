"""Accounts, passwords, permissions, and who may approve what."""
