"""The web server: the application, its settings, how it starts and stops."""
