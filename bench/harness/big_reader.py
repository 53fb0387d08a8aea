"""Reads a dataset of more than 2^31 elements by h5py in uneven slabs and counts wrong elements; prints JSON.

Arguments: file, big or sparse, elements per slab, elements per window of the sparse dataset."""

import json
import pathlib
import sys

import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness.values import element_values  # noqa: E402


def pieces(elements: int, workload: str, slab: int, window: int) -> list[tuple[int, int, bool]]:
    """(start, count, written) of what to look at: everything, or the windows and the holes beside them."""
    if workload == "big":
        return [(at, min(slab, elements - at), True) for at in range(0, elements, slab)]
    middle = (1 << 31) - window // 2
    written = [(start, window, True) for start in (0, middle, elements - window)]
    return written + [(window, 1000, False), (middle - 1000, 1000, False), (middle + window, 1000, False),
                      (elements - window - 1000, 1000, False)]


def main() -> None:
    path, workload, slab, window = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    wrong = looked_at = 0
    with h5py.File(path, "r") as file:
        dataset = file["bytes" if workload == "big" else "sparse"]
        for start, count, written in pieces(dataset.shape[0], workload, slab, window):
            found = dataset[start:start + count]
            expected = element_values(0, start, count, dataset.dtype.str) if written else 0
            wrong += int(numpy.count_nonzero(found != expected))
            looked_at += count
    print(json.dumps({"wrong": wrong, "elements": looked_at}))


main()
