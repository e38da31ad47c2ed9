"""One round as a state machine: commands are asked, events happened, state folds from events."""
