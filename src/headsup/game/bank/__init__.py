"""The table's money: ledger, balances, progressive meters and their awards."""
