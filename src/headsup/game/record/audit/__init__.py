"""Audits a log: decides every command again and compares the results."""
