"""A par sheet for its readers: words, charts, a page, a booklet, plain objects."""
