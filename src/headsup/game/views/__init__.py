"""What each viewer may see at each moment: the only way from state to a screen or a wire."""
