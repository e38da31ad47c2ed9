"""The sheets of the program: each figure named once, for every rendering."""
