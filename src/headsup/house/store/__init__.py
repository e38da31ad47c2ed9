"""Where the logs of floors are kept: one protocol, in memory, in a file, in a database."""
