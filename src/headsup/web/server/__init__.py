"""The server: the application, its settings, its start and its end."""
