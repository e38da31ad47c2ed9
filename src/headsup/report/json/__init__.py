"""Reports as plain objects for JSON, with exact numbers."""
