"""The files of pflotran.F90. `family` says which ranks have no cells: those of that number modulo 3."""

import h5py

import common


def rows(ranks):
    return sum(rank + 1 for rank in range(ranks) if rank % 3 != 2)


def make(folder, ranks, family):
    with h5py.File(folder / "in.h5", "w") as file:
        file["Materials/Cell Ids"] = common.whole("integer", (rows(ranks),), 1)
        file["Region/table"] = common.whole("double", (rows(ranks), 9), 2)


def planes(ranks, idle):
    return 2 * sum(1 for rank in range(ranks) if ranks == 1 or rank % 3 != idle)


def check(folder, ranks, family):
    idle = int(family)
    with h5py.File(folder / "out.h5") as file:
        times = [f"Time:{time:12.5E} y" for time in (1, 2, 3)]
        common.check_names(file, ["Coordinates"] + times)
        common.check_names(file["Coordinates"], ["X [m]", "Y [m]"])
        common.check_array(file, "Coordinates/X [m]", "double", common.whole("double", (9,), 11))
        common.check_array(file, "Coordinates/Y [m]", "double", common.whole("double", (4,), 12))
        dims = (planes(ranks, idle), 3, 4)
        for number, time in enumerate(times, 1):
            common.check_names(file[time], [f"{name}{end}" for name in ("Pressure", "Liquid Saturation")
                                            for end in ("", " Id")])
            for name, seed in (("Pressure", 20), ("Liquid Saturation", 30)):
                common.check_array(file, f"{time}/{name}", "double", common.whole("double", dims, seed + number))
                common.check_array(file, f"{time}/{name} Id", "integer", common.whole("integer", dims, seed + number))
