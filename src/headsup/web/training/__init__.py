"""Training in the browser: coach, explorer, chart, drills and review."""
