"""read_model.py FOLDER: the files of model.F90, read with netCDF4. Exit code 77: it is not there."""

import os
import sys

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

NETCDF4 = "NETCDF4" if "PIO_TEST_IOTYPE" in os.environ else None
NLON, NLAT, NLEV = 12, 7, 3
STEPS = [1, 2, 3, 3, 4, 5]  # the second run writes the state that it has read first
POINTS = numpy.arange(1, NLON * NLAT + 1).reshape(NLAT, NLON)
SEA = POINTS % 5 == 0


def temperature(point, step):
    return 250 + point * 0.5 + step * 1000


def cube(step):
    return numpy.stack([temperature(POINTS + k * POINTS.size, step) for k in range(NLEV)])


def check_history(file):
    assert file.data_model == (NETCDF4 or "NETCDF3_64BIT_OFFSET"), file.data_model
    assert file.title == "a model's history"
    assert list(file.dimensions) == ["lon", "lat", "lev", "chars", "time"]
    assert file.dimensions["time"].isunlimited() and len(file.dimensions["time"]) == len(STEPS)
    variable = file.variables
    assert variable["T"].dimensions == ("time", "lev", "lat", "lon")
    assert variable["T"].dtype == numpy.float32 and variable["PS"].dtype == numpy.float64
    assert variable["time"].units == "days since 0001-01-01 00:00:00"
    assert numpy.allclose(variable["PS"].valid_range, [0, 5000])
    assert numpy.array_equal(variable["lon"][:], numpy.arange(len(file.dimensions["lon"])) * 30)
    assert numpy.array_equal(variable["time"][:], numpy.array(STEPS) * 0.5)
    dates = netCDF4.chartostring(variable["date"][:])
    assert list(dates) == [f"day {step:04d}" for step in STEPS], dates
    for record, step in enumerate(STEPS):
        values = variable["T"][record]
        assert numpy.array_equal(values.mask, numpy.broadcast_to(SEA, values.shape)), record
        assert numpy.allclose(values[:, ~SEA], cube(step)[:, ~SEA], atol=1e-3), record
        surface = numpy.ma.getdata(variable["PS"][record])  # valid_range masks the fill value
        assert numpy.all(surface[SEA] == -1), record
        assert numpy.allclose(surface[~SEA], temperature(POINTS, step)[~SEA] / 2, atol=1e-3), record


def check_restart(file):
    assert file.data_model == (NETCDF4 or "NETCDF3_64BIT_DATA"), file.data_model
    assert file.variables["step"][...] == 3
    assert numpy.allclose(file.variables["T"][:][:, ~SEA], cube(3)[:, ~SEA], atol=1e-3)
    assert numpy.allclose(file.variables["PS"][:][~SEA], temperature(POINTS, 3)[~SEA] / 2, atol=1e-3)


folder = sys.argv[1]
with netCDF4.Dataset(f"{folder}/history.nc") as history:
    check_history(history)
with netCDF4.Dataset(f"{folder}/restart.nc") as restart:
    check_restart(restart)
