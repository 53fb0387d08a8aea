"""The file of fortran_additions.F90."""

import h5py

import common


def make(folder, ranks, family):
    pass


def check(folder, ranks, family):
    with h5py.File(folder / "out.h5") as file:
        common.check_names(file, ["indexed", "listed", "entire", "letters"])
        for name in ("indexed", "listed"):
            common.check_array(file, name, "double", common.whole("double", (4 * ranks, 3), 1))
        common.check_array(file, "entire", "integer", common.whole("integer", (5,), 2))
