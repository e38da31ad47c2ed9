"""Speed against peers: each module here measures one thing and answers `rows()`.

A row is (what, headsup, the peer or the goal, ratio). `python -m bench` prints them all;
`python -m bench settle` only those of `bench/settle.py`.
"""
