"""Exact counts of hands and cards for side wagers, caps and progressive pools."""
