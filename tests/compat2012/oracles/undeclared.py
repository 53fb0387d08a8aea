"""The file of undeclared.h: three times the same numbers."""

import h5py
import numpy as np

import common


def make(folder, ranks, family):
    pass


def check(folder, ranks, family):
    with h5py.File(folder / "out.h5") as file:
        common.check_names(file, ["one", "two", "block"])
        for name in file:
            common.check_array(file, name, "double", np.arange(6.0 * ranks).reshape(2 * ranks, 3))
