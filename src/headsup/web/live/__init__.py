"""Sockets: what is sent to each viewer, and the commands that come back."""
