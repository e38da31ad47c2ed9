"""What happened and what may be done, in words: one catalogue for each language."""
