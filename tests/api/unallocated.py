"""unallocated.py h5py|h5py_userblock|netCDF4 make|check_unput|check|continue|check_again FILE: a template whose contiguous variables have no space,
because nobody has put them; the other words check and continue what tests/api/unallocated_test.cpp has put there. Exit
code 77: a module is missing."""

import sys

try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

maker, what, path = sys.argv[1:]
SHAPE = (12, 10)
FILL = {"filled": 7, "big": -1.5, "inner": -3}
TYPES = {"plain": "f8", "filled": "i4", "big": ">f4", "scalar": "f8", "any": "f4", "untouched": "f8", "inner": "i2", "written": "f8"}


def shape_of(name):
    return {"scalar": (), "untouched": (100000,), "inner": (4,)}.get(name, SHAPE)


def path_of(name):
    return "g/inner" if name == "inner" else name


def value(k, shape):
    return ((31 * numpy.arange(numpy.prod(shape, dtype="i8")) + 17 * k) % 120 + 1).reshape(shape)


def make_by_h5py():
    with h5py.File(path, "w", userblock_size=512 if maker == "h5py_userblock" else 0) as file:
        for name, dtype in TYPES.items():
            form = {"fillvalue": FILL[name]} if name in FILL else {}
            if name == "any":
                form = {"dcpl": h5py.h5p.create(h5py.h5p.DATASET_CREATE)}
                form["dcpl"].set_fill_value(numpy.array(5, dtype))
                form["dcpl"].set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            file.create_dataset(path_of(name), shape_of(name), dtype, **form)
        file["written"][...] = value(9, SHAPE)
        file.create_dataset("chunked", SHAPE, "i4", chunks=(5, 4), compression="gzip", fillvalue=-9)


def make_by_netcdf4():
    with netCDF4.Dataset(path, "w") as file:
        for name, length in {"y": 12, "x": 10, "long": 100000, "four": 4, "time": None}.items():
            file.createDimension(name, length)
        for name, dtype in TYPES.items():
            group = file.createGroup("g") if name == "inner" else file
            dims = {"scalar": (), "untouched": ("long",), "inner": ("four",)}.get(name, ("y", "x"))
            fill = False if name == "any" else FILL.get(name)
            made = group.createVariable(name, dtype.strip(">"), dims, endian="big" if ">" in dtype else "native",
                                        fill_value=fill, contiguous=bool(dims))
            made.units = "1"
        file["written"][...] = value(9, SHAPE)
        file.createVariable("chunked", "i4", ("y", "x"), zlib=True, chunksizes=(5, 4), fill_value=-9)
        file.createVariable("y", "f8", ("y",))
        file.createVariable("records", "f8", ("time", "x"))[:2] = 1


def default_fill(name):
    return 0 if maker != "netCDF4" else netCDF4.default_fillvals[TYPES[name].strip(">")]


def expected(name):
    shape = shape_of(name)
    fill = FILL.get(name, default_fill(name))
    if name in ("plain", "written"):
        return value(1 if name == "plain" else 9, shape)
    if name == "scalar":
        return numpy.array(42.0)
    if name == "any":  # what no rank holds has the value of the put
        whole = value(5, SHAPE)
        whole[:, 1::2] = 9
        return whole
    made = numpy.full(shape, fill, TYPES[name])
    if name == "filled":
        made[2:4] = value(2, (2, 10))
    if name == "big":
        made[5] = value(3, (10,))
    if name == "inner":
        made[1:3] = [11, 12]
    return made


def is_unallocated(dataset):
    return dataset.id.get_space_status() == h5py.h5d.SPACE_STATUS_NOT_ALLOCATED


def check(more):
    with h5py.File(path) as file:
        assert (is_unallocated(file["untouched"])) == (not more), "space that nobody asked for"
        for name, dtype in TYPES.items():
            found = file[path_of(name)]
            assert found.dtype == numpy.dtype(dtype), (name, found.dtype)
            wanted = expected(name)
            changed(name, wanted) if more else None
            assert numpy.array_equal(found[()], wanted), (name, found[()], wanted)
            assert found.chunks is None and (name == "untouched" or not is_unallocated(found)), name
        assert numpy.array_equal(file["chunked"][()], value(8, SHAPE))
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        for name in TYPES:
            wanted = expected(name)
            changed(name, wanted) if more else None
            assert numpy.array_equal(file[path_of(name)][...], wanted), name


# What change_by_*, and then the tests, change.
def changed(name, wanted):
    if name == "untouched":
        wanted[3] = 5
        wanted[99999] = 6
    if name == "plain":
        wanted[0, 0] = -1
    if name == "filled":
        wanted[11] = 3


def change():
    if maker != "netCDF4":
        with h5py.File(path, "r+") as file:
            file["untouched"][3] = 5
            file["plain"][0, 0] = -1
            file["filled"][11] = 3
            file.create_dataset("added", data=numpy.arange(1000.0))
    else:
        with netCDF4.Dataset(path, "a") as file:
            file["untouched"][3] = 5
            file["plain"][0, 0] = -1
            file["filled"][11] = 3
            file.createVariable("added", "f8", ("long",))[:1000] = numpy.arange(1000.0)


def check_unput():
    with h5py.File(path) as file:
        for name, dtype in TYPES.items():
            unput = numpy.full(shape_of(name), FILL.get(name, default_fill(name)), dtype)
            found = file[path_of(name)]
            assert is_unallocated(found) == (name != "written") or name == "any", name
            assert name == "any" or numpy.array_equal(found[()], value(9, SHAPE) if name == "written" else unput), name


if what == "make":
    make_by_h5py() if maker != "netCDF4" else make_by_netcdf4()
elif what == "check_unput":
    check_unput()
elif what == "continue":
    change()
else:
    check(what == "check_again")
