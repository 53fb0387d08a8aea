"""The files of bad_input.c: a good one to read; in the other only what the good calls made."""

import h5py
import numpy as np

import common


def make(folder, ranks, family):
    with h5py.File(folder / "in.h5", "w") as file:
        file["good"] = np.zeros((2 * ranks, 3))


def check(folder, ranks, family):
    with h5py.File(folder / "out.h5") as file:
        works = [name for name in file if name.startswith("works ")]
        common.check_names(file, ["good", "strings", "unspoiled"] + works)
        common.check(len(works) > 20, f"only {len(works)} data sets were written after bad calls")
        for name in works:
            time = int(name.split()[1])
            expected = [[100 * rank + 3 * row + column + time for column in range(3)]
                        for rank in range(ranks) for row in range(2)]
            common.check_array(file, name, "double", np.array(expected, "f8"))
        common.equal("attributes", ["a double", "an integer", "new"], sorted(file["good"].attrs))
