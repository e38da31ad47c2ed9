"""Servers that the load is put on, each a process of its own: headsup's, and a bare one."""
