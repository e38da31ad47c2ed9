"""One round as a state machine: commands in, events out, and the events make the state."""
