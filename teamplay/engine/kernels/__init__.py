"""Plain functions over arrays, which numba compiles when a job is large; see `jit.py`."""
