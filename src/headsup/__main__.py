"""Runs `headsup` as `python -m headsup`."""

from headsup.cli import main

if __name__ == "__main__":
    main()
