"""What every element holds, for numpy: the twin of bench/common/value.h."""

from __future__ import annotations

import numpy

_WORD = (1 << 64) - 1


def _mix(bits: numpy.ndarray) -> numpy.ndarray:
    bits = (bits ^ (bits >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> numpy.uint64(31))


def element_values(variable: int, start: int, count: int, dtype: str, step: int = 0) -> numpy.ndarray:
    """Elements [start, start + count) of a variable, by their index in the flattened array."""
    first = ((variable << 32 | step) + 0x9E3779B97F4A7C15) & _WORD
    seed = _mix(numpy.array([first], dtype=numpy.uint64))[0]
    bits = _mix(numpy.arange(start, start + count, dtype=numpy.uint64) ^ seed)
    if numpy.dtype(dtype).kind == "f":
        return (bits >> numpy.uint64(11)).astype(dtype) * numpy.dtype(dtype).type(2.0**-53)
    return (bits >> numpy.uint64(33)).astype(dtype)
