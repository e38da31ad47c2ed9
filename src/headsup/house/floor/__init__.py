"""One floor at work: its host, group commits, projections, snapshots."""
