"""What all commands run in: the list of commands, help, typing errors, standard streams."""
