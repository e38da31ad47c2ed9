"""Reports in words: facts, tables and notes."""
