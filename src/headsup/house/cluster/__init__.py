"""Runs several servers on one database: membership, placement of floors, the way to an owner."""
