"""Reports in words: sentences, facts, tables and notes."""
