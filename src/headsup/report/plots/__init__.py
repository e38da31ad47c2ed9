"""Charts and plots as SVG."""
