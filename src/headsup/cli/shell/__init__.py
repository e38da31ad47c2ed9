"""The program itself: commands by name, help, typing errors, standard streams."""
