"""Training in the browser."""
