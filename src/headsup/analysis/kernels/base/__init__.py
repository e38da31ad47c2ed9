"""Shared by all kernels: arrays, numbering, the hand evaluator, compilation and its cache."""
