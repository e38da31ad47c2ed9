"""Accounts, passwords, permissions and approvals."""
