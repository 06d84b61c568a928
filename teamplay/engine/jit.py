"""Kernels: modules of plain Python functions over numpy arrays, which numba compiles when a job is large.

A kernel module holds nothing but functions and constants and sets `KERNELS = True`. Called as it is, it runs at once,
without the compiler's second; `compiled(module)` is the same module with every function compiled. Small jobs take the
first, large ones the second, and comparing the two is a test.

A call between compiled functions that hands on arrays, or tuples of them, costs as much as fifty additions; the
module's `INLINE` names the small functions that are copied into their callers instead.
"""

import importlib.util
import sys
from functools import cache
from types import FunctionType, ModuleType


@cache
def compiled(module: ModuleType) -> ModuleType:
    """A copy of a kernel module in which every function is compiled on its first call, and kept on disk."""
    import numba

    assert module.__file__ and module.__spec__
    name = f"{module.__name__}__compiled"
    spec = importlib.util.spec_from_file_location(name, module.__file__)
    assert spec and spec.loader
    copy = importlib.util.module_from_spec(spec)
    sys.modules[name] = copy
    spec.loader.exec_module(copy)
    for key, value in vars(module).items():
        if isinstance(value, FunctionType):
            home = sys.modules[value.__module__]
            if home is module:
                inlined = key in getattr(module, "INLINE", ())
                compiler = numba.njit(
                    cache=True, nogil=True, error_model="numpy", inline="always" if inlined else "never"
                )
                setattr(copy, key, compiler(getattr(copy, key)))
            elif getattr(home, "KERNELS", False):
                setattr(copy, key, getattr(compiled(home), key))
    return copy


def kernels(module: ModuleType, large: bool) -> ModuleType:
    """The kernels for a job: plain for a small one, compiled for a large one."""
    return compiled(module) if large else module
