"""What stands beside the logs, held against what the logs give."""
