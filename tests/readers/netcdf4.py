"""netcdf4.py MODULE WRITER: a netCDF-4 file that WRITER makes is read with netCDF4 or h5netcdf, which append records
and add a variable. Both append in turn, and the file is read after each. Exit code 77: a module is not there."""

import importlib
import os
import subprocess
import sys
import tempfile

module_name, writer = sys.argv[1:3]
try:
    import numpy
    module = importlib.import_module(module_name)
except ImportError as missing:
    print(missing)
    sys.exit(77)

ROWS, COLUMNS, RECORDS, ADDED, CONTINUED = 6, 4, 4, 3, 2
COUNT = numpy.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)
DEFAULT_FILL = -2147483647


def records(number):
    return numpy.array([100.0 * t + COUNT for t in range(number)])


def open_file(path, mode):
    if module_name == "netCDF4":
        file = module.Dataset(path, mode)
        file.set_auto_mask(False)
        return file
    return module.File(path, mode)


def check(path, number, model):
    with open_file(path, "r") as file:
        assert numpy.array_equal(file.variables["time"][...], 0.5 + numpy.arange(number))
        assert numpy.array_equal(file.variables["temperature"][...], records(number))
        flux = file.variables["flux"][...]
        assert numpy.array_equal(flux[:RECORDS], -records(RECORDS))
        for t in puts_of_flux:
            assert numpy.array_equal(flux[t], -records(t + 1)[t]), t
        mask = numpy.full((ROWS, COLUMNS), DEFAULT_FILL)
        mask[0] = 1
        assert numpy.array_equal(file.variables["mask"][...], mask), file.variables["mask"][...]
        assert file.variables["flux"].dimensions == ("time", "y", "x")
        assert len(file.variables["plain"].dimensions) == 1
        assert file.variables["flux"].chunks == (3, 4, 4) if module_name == "h5netcdf" else True
        if model == "enhanced":
            assert numpy.array_equal(file.variables["value"][...], [0, 1])
            assert numpy.array_equal(file.groups["ocean"].variables["count"][...], [10, 11])
        if module_name == "netCDF4":
            assert file.data_model == ("NETCDF4" if model == "enhanced" else "NETCDF4_CLASSIC"), file.data_model
            assert file.dimensions["time"].isunlimited() and file.title == "records"
            assert file["temperature"]._FillValue == numpy.float32(-1e30)


def append(path, first):
    with open_file(path, "a") as file:
        if module_name == "h5netcdf":
            file.resize_dimension("time", first + ADDED)
        for t in range(first, first + ADDED):
            file.variables["time"][t] = 0.5 + t
            file.variables["temperature"][t] = 100.0 * t + COUNT
        if "extra" in file.variables:
            return
        if module_name == "netCDF4":
            extra = file.createVariable("extra", "f8", ("time", "x"))
        else:
            extra = file.create_variable("extra", ("time", "x"), "f8")
        extra[:] = numpy.arange((RECORDS + ADDED) * COLUMNS).reshape(-1, COLUMNS)


def check_additions(path):
    with open_file(path, "r") as file:
        extra = file.variables["extra"][: RECORDS + ADDED]
        assert numpy.array_equal(extra.reshape(-1), numpy.arange((RECORDS + ADDED) * COLUMNS)), extra
        assert numpy.array_equal(file.variables["late"][...], 7 + 2 * COUNT)
        assert file.variables["late"].dimensions == ("y", "x")


def run(*arguments):
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", writer, *arguments], check=True)


with tempfile.TemporaryDirectory() as folder:
    for model in ("enhanced", "classic"):
        path = os.path.join(folder, model + ".nc")
        puts_of_flux = set()
        run("write", path, model)
        check(path, RECORDS, model)
        number = RECORDS
        for turn in range(3):
            append(path, number)
            number += ADDED
            check(path, number, model)
            run("continue", path, str(number))
            number += CONTINUED
            puts_of_flux.add(number - 1)
            check(path, number, model)
            check_additions(path)
