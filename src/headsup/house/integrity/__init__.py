"""Proof that nothing was altered: anchors, backups, program files."""
