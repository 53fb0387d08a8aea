"""phony.py MAKER make|make long|check FILE: an HDF5 file of h5py (or netCDF-4 file) with dimensions that have no names, and what
netCDF-C shows of it, one line for each dimension and variable of the root group in FILE.txt, for phony_test.cpp. `check`
reads what the test has put. Exit code 77: a module is missing."""

import sys

try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

case, what, path = sys.argv[1:]


def scale(file, name, data, **form):
    file.create_dataset(name, data=data, **form).make_scale(name)


def make(file):
    def add(name, shape, **form):
        return file.create_dataset(name, data=numpy.arange(numpy.prod(shape, dtype="i8"), dtype="f8").reshape(shape), **form)

    add("a", (4, 3))
    add("b", (3, 4))
    add("square", (4, 4))
    add("cube", (4, 4, 4))
    add("scalar", ())
    add("u", (4, 3), maxshape=(None, 3))
    add("uu", (4, 4), maxshape=(None, None))
    add("limited", (4,), maxshape=(9,))
    file.create_dataset("names", data=numpy.array([b"ab", b"cd"]))
    file.create_dataset("none", (0, 4), "f8")
    file.create_dataset("none2", (0,), "f8")
    file.create_dataset("unput", (5, 2), "f8", fillvalue=-1)
    if case != "plain":
        scale(file, "x", numpy.arange(4.0))
        scale(file, "five", numpy.arange(5.0))
        scale(file, "t", numpy.arange(6.0), maxshape=(None,))
        add("by_length", (5, 4))
        add("of_time", (6, 6), maxshape=(None, 6))
        named = add("named", (5, 4))
        named.dims[0].attach_scale(file["five"])
        named.dims[1].attach_scale(file["x"])
    if case == "groups":
        file.create_group("g")
        file["g"].create_dataset("y", data=numpy.zeros((4, 7)))
        file["g"].create_group("h").create_dataset("z", data=numpy.zeros((7, 4)))
        file.create_group("a0").create_dataset("w", data=numpy.zeros(4))
    structs = file.create_dataset("z structs", (13,), [("a", "f4"), ("b", "i4")])  # which old versions of netCDF-C do not show
    structs.attrs["pairs"] = numpy.zeros(2, structs.dtype)


def dimensions(group):
    for inner in group.groups.values():
        yield from dimensions(inner)
    for name, dimension in group.dimensions.items():
        yield dimension._dimid, name, len(dimension), int(dimension.isunlimited())


def variables(group, path=""):
    for name, variable in group.variables.items():
        ids = [next(d._dimid for g in scopes(group) for n, d in g.dimensions.items() if n == name) for name in variable.dimensions]
        yield path + name, ids
    for name, inner in group.groups.items():
        yield from variables(inner, f"{path}{name}/")


def scopes(group):
    while group is not None:
        yield group
        group = group.parent


if what == "make long":  # with a name of 256 bytes, which Python's netCDF4 cannot show
    with h5py.File(path, "w") as made:
        scale(made, "n" * 256, numpy.arange(21.0))
        made.create_dataset("of_long_name", data=numpy.arange(21.0))
elif what == "make":
    with h5py.File(path, "w", track_order=case == "groups") as made:
        make(made)
    with netCDF4.Dataset(path) as shown, open(path + ".txt", "w", encoding="ascii") as out:
        for number, name, length, unlimited in sorted(dimensions(shown)):
            print("dimension", number, name, length, unlimited, file=out)
        for name, ids in variables(shown):
            if name == "z structs":
                continue
            print("variable", name, len(ids), *ids, file=out)
else:
    for reader, value in ((h5py.File, lambda v: v[()]), (netCDF4.Dataset, lambda v: v[...])):
        with reader(path) as file:
            expected = numpy.arange(12.0).reshape(4, 3)
            expected[1] = [70, 71, 72]
            assert numpy.array_equal(value(file["a"]), expected), value(file["a"])
            assert numpy.array_equal(value(file["unput"]), numpy.arange(10.0).reshape(5, 2) + 100)
            assert numpy.array_equal(value(file["added"]), numpy.arange(8.0)), value(file["added"])
            assert file["added"].shape == (8,)
