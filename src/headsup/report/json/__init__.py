"""Reports for programs: plain objects, every number exact."""
