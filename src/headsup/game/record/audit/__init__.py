"""The audit of a record: every decision replayed and compared."""
