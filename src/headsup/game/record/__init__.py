"""The record of a floor: its events as JSON in a hash chain, state digests, and the audit."""
