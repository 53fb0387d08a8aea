"""The files of big.c: sparse, so only what was written is looked at, and that the rest is zero where it borders."""

import h5py
import numpy as np

import common

LONG = 2500000000
NEAR = 1000
SIDE = 50000
FIRSTS = (0, 2**31 - NEAR // 2, LONG - NEAR)
ROWS = (0, 42949, SIDE - 2)


def make(folder, ranks, family):
    with h5py.File(folder / "in.h5", "w") as file:
        dataset = file.create_dataset("made by h5py", (LONG,), "i1", fillvalue=None)
        for first in FIRSTS:
            dataset[first:first + NEAR] = common.values("char", np.arange(first, first + NEAR), 1)


def check_line(dataset):
    common.equal("line", ((LONG,), np.dtype("i1")), (dataset.shape, dataset.dtype))
    for first in FIRSTS:
        expected = common.values("char", np.arange(first, first + NEAR), 1)
        common.equal(f"wrong from {first}", 0, int(np.sum(dataset[first:first + NEAR] != expected)))
        for beside in (first - NEAR, first + NEAR):
            if 0 <= beside < LONG:
                common.equal(f"written from {beside}", 0, int(np.count_nonzero(dataset[beside:beside + NEAR])))


def check_square(dataset):
    common.equal("square", ((SIDE, SIDE), np.dtype("<i8")), (dataset.shape, dataset.dtype))
    for row in ROWS:
        expected = common.values("long", np.arange(row * SIDE, (row + 2) * SIDE).reshape(2, SIDE), 2)
        common.equal(f"wrong in rows {row}", 0, int(np.sum(dataset[row:row + 2] != expected)))
        for beside in (row - 1, row + 2):
            if 0 <= beside < SIDE:
                common.equal(f"written in row {beside}", 0, int(np.count_nonzero(dataset[beside])))


def check(folder, ranks, family):
    with h5py.File(folder / "out.h5") as file:
        common.check_names(file, ["line", "square"])
        check_line(file["line"])
        check_square(file["square"])
