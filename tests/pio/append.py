"""append.py FOLDER TURN: makes files of the form of append.c (turn 0), or checks all files of the folder (turn 1 and
later), and adds a record and a variable to them. Exit code 77: there is no netCDF4."""

import glob
import sys

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

COLUMNS = 7
folder, turn = sys.argv[1], int(sys.argv[2])
X = numpy.arange(COLUMNS)


def write_record(file, record):
    file.variables["T"][record] = 100 * record + X
    file.variables["B"][record] = 1000 * record + X
    file.variables["time"][record] = 0.5 * record


def make(name, model):
    with netCDF4.Dataset(f"{folder}/{name}", "w", format=model) as file:
        file.createDimension("time", None)
        file.createDimension("x", COLUMNS)
        file.createVariable("time", "f8", ("time",))
        temperature = file.createVariable("T", "f4", ("time", "x"), zlib=True, complevel=4, chunksizes=(1, COLUMNS))
        file.createVariable("B", ">i4", ("time", "x"), endian="big", fletcher32=True)
        file.createVariable("S", "f8", ("x",))
        temperature.units = "K"
        if model == "NETCDF4":
            temperature.setncattr_string("members", ["first", "second one"])
        for record in (0, 1):
            write_record(file, record)
        file.variables["S"][:] = X


def check(file):
    """After turns of the other program: 1, 3, ..., and of this one: 2, 4, ..."""
    records = 2 + turn - 1
    assert len(file.dimensions["time"]) == records, file.dimensions["time"]
    rows = numpy.arange(records)[:, None]
    assert numpy.array_equal(file.variables["T"][:], 100 * rows + X), file.variables["T"][:]
    assert numpy.array_equal(file.variables["B"][:], 1000 * rows + X), file.variables["B"][:]
    assert numpy.array_equal(file.variables["time"][:], 0.5 * rows[:, 0])
    assert numpy.array_equal(file.variables["S"][:], X + turn - 1), file.variables["S"][:]
    assert file.variables["B"].endian() == "big"
    assert file.history == f"continued in turn {turn - 1}" and file.variables["T"].units == "kelvin"
    if "members" in file.variables["T"].ncattrs():
        assert file.variables["T"].members == ["first", "second one"]
    for other in range(1, turn):
        added = file.variables[("N" if other % 2 else "P") + str(other)]
        assert added.dtype == numpy.int16 and added.units == "m"
        assert numpy.array_equal(added[1 + other], 10 * other + X), (other, added[:])


def append(file):
    record = len(file.dimensions["time"])
    write_record(file, record)
    file.variables["S"][:] = X + turn
    added = file.createVariable(f"P{turn}", "i2", ("time", "x"))
    added.units = "m"
    added[record] = 10 * turn + X
    file.history = f"continued in turn {turn}"


if turn == 0:
    make("python.nc", "NETCDF4")
    make("model.nc", "NETCDF4_CLASSIC")
for path in sorted(glob.glob(f"{folder}/*.nc")) if turn else []:
    with netCDF4.Dataset(path, "a") as opened:
        check(opened)
        append(opened)
