"""Simulates whole tables: random rounds, the Progressive meter, and the resulting figures."""
