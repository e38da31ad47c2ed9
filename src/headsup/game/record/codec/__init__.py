"""Events and commands as JSON and back, derived from their types."""
