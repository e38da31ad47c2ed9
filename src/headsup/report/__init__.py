"""Results for people and programs: words, plots, files and JSON."""
