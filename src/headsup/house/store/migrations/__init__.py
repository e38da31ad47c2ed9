"""Migrations of the database schema; a server runs them when it starts."""
