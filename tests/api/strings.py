"""strings.py make|check FILE: a netCDF-4 file with variables of strings. `make`: netCDF4 writes it, for the tests to
read and to extend. `check`: netCDF4 and h5py read what the tests have made of it, or one that they have made. Exit code
77: a module is missing."""

import sys

try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

what, path = sys.argv[1:]
NAMES = ["a", "", "a longer text", "größer"]


def make():
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 4)
        file.createDimension("time", None)
        names = file.createVariable("names", str, ("x",))
        names[:] = numpy.array(NAMES, dtype=object)
        dates = file.createVariable("dates", str, ("time",))
        dates[0], dates[2] = "first", "third"
        file.createVariable("unwritten", str, ("x",))
        file.createVariable("one", str, ())[...] = "single"
        numbers = file.createVariable("numbers", "f8", ("time",))
        numbers[:4] = [0, 1, 2, 3]


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def check():
    expected = {
        "names": NAMES[:3] + ["changed"],
        "dates": ["first", "", "third", "", "fifth"],
        "unwritten": ["", "", "x", ""],
        "one": ["another"],
    }
    with netCDF4.Dataset(path) as file:
        for name, texts in expected.items():
            assert file[name].dtype is str, (name, file[name].dtype)
            found = file[name][...]
            assert numpy.ravel(found).tolist() == texts, (name, found)
    with h5py.File(path) as file:
        for name, texts in expected.items():
            assert h5py.check_string_dtype(file[name].dtype).length is None, name
            found = [text(value) for value in numpy.ravel(file[name][()])]
            assert found == texts[: len(found)] and not any(texts[len(found) :]), (name, found)


make() if what == "make" else check()
