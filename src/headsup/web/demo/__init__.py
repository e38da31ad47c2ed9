"""The demonstration (`headsup serve --demo`): guests, tables and automatic players."""
