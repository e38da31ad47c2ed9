"""What each viewer may see: the only way from a table's state to a screen or a socket."""
