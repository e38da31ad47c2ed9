"""The servers that `bench load` tests, each a separate process: headsup's and a bare one."""
