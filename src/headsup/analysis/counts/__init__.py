"""Exact counts of hands and cards for side wagers, payout caps and progressive pools."""
