"""readers.py MODULE BY_SCORPIO: a file of the workload in identical/workload.h is read with scipy, netCDF4 or
xarray. Exit code 77: the module is not there."""

import importlib
import os
import subprocess
import sys
import tempfile

module_name, writer = sys.argv[1:3]
try:
    import numpy
    module = importlib.import_module("scipy.io" if module_name == "scipy" else module_name)
    if module_name == "xarray":
        importlib.import_module("scipy")
except ImportError as missing:
    print(missing)
    sys.exit(77)

RECORDS, SHAPES = 5, {"a": (7, 5), "c": (5,), "f": (), "b": (7,), "d": (), "e": (5, 3), "g": (9,), "h": (9,)}
HAS_RECORDS = "bdeh"


def datum(variable, record, shape):
    count = int(numpy.prod(shape)) if shape else 1
    first = 97 * variable + 31 * record
    return numpy.fmod(first + numpy.arange(count), 120).reshape(shape)  # as C divides


def expected(variable, name):
    if name not in HAS_RECORDS:
        # The record of a variable without records is -1.
        return datum(variable, -1, SHAPES[name])
    return numpy.stack([datum(variable, record, SHAPES[name]) for record in range(RECORDS)])


def values_of(path):
    """Name to array, and the title."""
    if module_name == "scipy":
        with module.netcdf_file(path, "r", mmap=False) as file:
            return {name: numpy.array(file.variables[name][...]) for name in SHAPES}, file.title
    if module_name == "netCDF4":
        with module.Dataset(path) as file:
            file.set_auto_mask(False)
            return {name: numpy.array(file.variables[name][...]) for name in SHAPES}, file.title
    with module.open_dataset(path, decode_cf=False, engine="scipy") as file:
        return {name: file[name].values for name in SHAPES}, file.attrs["title"]


def check(path):
    values, title = values_of(path)
    assert title in ("classic", b"classic"), title
    for variable, name in enumerate(SHAPES):
        got = values[name]
        if got.dtype.kind == "S":
            got = got.view(numpy.uint8)
        assert numpy.array_equal(got.astype(int), expected(variable, name)), (path, name, got)


with tempfile.TemporaryDirectory() as folder:
    for version in ("1", "2") if module_name != "netCDF4" else ("1", "2", "5"):
        path = os.path.join(folder, f"v{version}.nc")
        subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", writer, path, version, "1"], check=True, timeout=60)
        check(path)
        print(path, "is as it should be")
