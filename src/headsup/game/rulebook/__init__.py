"""Rule books: the rules of each document as data, and the rules that a table chooses from one."""
