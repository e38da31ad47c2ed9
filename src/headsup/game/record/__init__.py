"""The record of a floor: events as JSON, a hash chain, a digest after each, the audit."""
