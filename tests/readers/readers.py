"""readers.py MODULE WRITE: an HDF5 file that WRITE makes is read with h5py, pyfive, netCDF4, h5netcdf (on h5py and on
pyfive) or xarray (on h5netcdf). Exit code 77: a module is not there."""

import contextlib
import importlib
import os
import subprocess
import sys
import tempfile

module_name, writer = sys.argv[1:3]
NEEDS = {"h5netcdf": ["h5py", "pyfive"], "xarray": ["h5netcdf", "pyfive"]}
try:
    import numpy
    module = importlib.import_module(module_name)
    for needed in NEEDS.get(module_name, []):
        importlib.import_module(needed)
except ImportError as missing:
    print(missing)
    sys.exit(77)

ROWS, COLUMNS, MANY, LONG, GROUP_MEMBERS = 6, 4, 20, 9000, 12
COUNT = numpy.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)


def plain(value):
    """One text, whether it came as such, as bytes or as an array of one."""
    value = value.item() if hasattr(value, "item") and numpy.size(value) == 1 else value
    return value.decode() if isinstance(value, bytes) else value


def check_variables(variables):
    assert numpy.array_equal(variables["temperature"][...], COUNT + 0.5), variables["temperature"][...]
    assert numpy.array_equal(variables["salt"][...], COUNT + 100), variables["salt"][...]
    assert numpy.array_equal(variables["packed"][...], COUNT + 7), variables["packed"][...]
    assert variables["x"].shape == (COLUMNS,)


def check_attributes(title, temperature, salt, long):
    assert plain(title) == "what readers may stumble over", title
    assert plain(temperature["units"]) == "degree_Celsius", temperature["units"]
    assert numpy.size(temperature["comment"]) == 0 or plain(temperature["comment"]) == "", temperature["comment"]
    assert float(plain(temperature["one"])) == 2.5, temperature["one"]
    for i in range(MANY):
        assert int(plain(salt[f"a{i}"])) == i, (i, salt[f"a{i}"])
    assert numpy.array_equal(long, numpy.arange(LONG)), long


def by_hdf5(path):
    with module.File(path, "r") as file:
        check_variables(file)
        check_attributes(file.attrs["title"], dict(file["temperature"].attrs), dict(file["salt"].attrs),
                         file["ocean"].attrs["long"])
        assert len(list(file["many"])) == GROUP_MEMBERS
        assert file["ocean/nothing"].shape == (0,)
        assert file["ocean/names"].shape == (ROWS,) and file["ocean/names"].dtype == "S7"
        if module_name == "h5py":  # a text that is not one character, over a dimension
            assert [scale.name for scale in file["ocean/names"].dims[0].values()] == ["/y"]
        assert file["ocean/alias"][0, 0] == 0.5


def by_netcdf4(path):
    with module.Dataset(path) as file:
        assert isinstance(file["temperature"].units, str) and file["temperature"].comment == ""
        assert file["salt"]._FillValue == 2.5 and file["salt"]._FillValue.dtype == numpy.float32
        check_variables(file.variables)
        check_attributes(file.title, file["temperature"].__dict__, file["salt"].__dict__, file["ocean"].long)
        assert file["salt"].dimensions == ("y", "x") and len(file["many"].groups) == GROUP_MEMBERS
        assert len(file.dimensions["x"]) == COLUMNS and len(file["ocean"].dimensions["x"]) == ROWS
        assert file["ocean/profile"].shape == (ROWS,)
        assert file["ocean/nothing"].dimensions[0].startswith("phony_dim_")  # defined by its extents


def by_h5netcdf(path):
    for backend in ("h5py", "pyfive"):
        with module.File(path, "r", backend=backend) as file:
            check_variables(file.variables)
            check_attributes(file.attrs["title"], dict(file["temperature"].attrs), dict(file["salt"].attrs),
                             file["ocean"].attrs["long"])
            assert file["salt"].dimensions == ("y", "x") and len(file["many"].groups) == GROUP_MEMBERS
            assert file["ocean/names"].dimensions == ("y",)
            assert file["ocean"].dimensions["x"].size == ROWS and file["ocean/profile"].dimensions == ("x",)


def by_xarray(path):
    for backend in ("h5py", "pyfive"):
        os.environ["H5NETCDF_READ_BACKEND"] = backend
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(module.open_dataset(path, engine="h5netcdf"))
            ocean = stack.enter_context(module.open_dataset(path, engine="h5netcdf", group="ocean",
                                                            phony_dims="sort"))
            check_variables({name: file[name].values for name in ("temperature", "salt", "packed", "x")})
            check_attributes(file.attrs["title"], file["temperature"].attrs, file["salt"].attrs, ocean.attrs["long"])
            assert isinstance(file["temperature"].attrs["units"], str) and file["salt"].encoding["_FillValue"] == 2.5
            assert file["salt"].dims == ("y", "x")
            assert ocean["profile"].dims == ("x",) and ocean["profile"].shape == (ROWS,)


READ = {"h5py": by_hdf5, "pyfive": by_hdf5, "netCDF4": by_netcdf4, "h5netcdf": by_h5netcdf, "xarray": by_xarray}

with tempfile.TemporaryDirectory() as folder:
    for eager in ("false", "true"):
        path = os.path.join(folder, f"eager_{eager}.h5")
        subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", writer, path, eager], check=True, timeout=60)
        READ[module_name](path)
        print(path, "is as it should be")
