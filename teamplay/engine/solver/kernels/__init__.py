"""The searches: plain functions over words of bits, which numba compiles when a job is large."""
