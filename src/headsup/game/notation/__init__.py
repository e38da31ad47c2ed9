"""A round as text: JSON for programs, TOML that people read and write."""
