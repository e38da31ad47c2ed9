"""The automatic dealer, its pace, the shoe, and cards dealt by hand."""
