"""Reports as files: web page, PDF, strategy card, CSV."""
