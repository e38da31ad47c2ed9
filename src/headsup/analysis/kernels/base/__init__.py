"""What all kernels share: arrays, numbering, the evaluator, how code is compiled and stored."""
