"""Processes that compute beside the server."""
