"""The live connection: views and events go out to each viewer, commands come back."""
