"""The file of through_one_root.c, a row at a time."""

import h5py
import numpy as np

import common

COLUMNS = 1 << 20


def make(folder, ranks, family):
    pass


def row_of(number):
    row = np.full(COLUMNS, number % 113, "i1")
    row[:4] = np.frombuffer(common.values("integer", [number], 3).tobytes(), "i1")
    row[-4:] = np.frombuffer(common.values("integer", [number], 4).tobytes(), "i1")
    return row


def check(folder, ranks, family):
    with h5py.File(folder / "out.h5") as file:
        rows = file["rows"]
        common.equal("columns", COLUMNS, rows.shape[1])
        common.check(rows.shape[0] > 0, "no rows")
        wrong = [number for number in range(rows.shape[0]) if not np.array_equal(rows[number], row_of(number))]
        common.equal("wrong rows", [], wrong[:10])
