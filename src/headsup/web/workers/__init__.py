"""Worker processes for slow computations, and the server's clients for them."""
