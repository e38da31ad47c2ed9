"""Which role may ask what: one table, read by the server, the console and the tests alike.

What is sensitive takes two persons: the one who asks and a supervisor, who gives their own
password for it (ASVS 2.3.5).
"""
