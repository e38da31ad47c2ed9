"""The public Python library (`import headsup`): cards and rules in as text, exact values out."""
