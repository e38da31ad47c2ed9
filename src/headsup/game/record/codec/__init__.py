"""Writes values as JSON and reads them back, as their type annotations say."""
