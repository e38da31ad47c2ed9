"""Kernels that count All 6: packets, boards and rounds."""
