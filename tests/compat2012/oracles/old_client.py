"""The file of old_client.c."""

import h5py

import common

ROWS = 3


def make(folder, ranks, family):
    pass


def check(folder, ranks, family):
    with h5py.File(folder / "old.h5") as file:
        common.check_names(file, ["deep"])
        common.check_array(file, "deep/er", "double", common.whole("double", (ROWS * ranks, 1), 5))
