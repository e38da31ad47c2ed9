"""Main game and side wagers together: joint counts, covariances, whole rounds."""
