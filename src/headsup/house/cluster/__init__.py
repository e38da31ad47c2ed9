"""Runs several servers on one database: leases, forwarding, replicas, rebalancing."""
