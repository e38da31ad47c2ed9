"""Money that is moved and never made: ledger, balances, meters, awards."""
