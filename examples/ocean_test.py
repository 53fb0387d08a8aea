"""ocean_test.py SOURCES OCEAN OCEAN_BY_PNETCDF|none: runs the two programs with several numbers of ranks, one of which has no
cells, reads their files with netCDF4 and xarray, and compares them: by value, with a model in numpy, and the two programs
with each other, also their lengths. Exit code 77: a module is not there."""

import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import netCDF4
    import numpy
    import xarray
except ImportError as missing:
    print("not run:", missing)
    sys.exit(77)

SOURCES, OCEAN, OCEAN_BY_PNETCDF = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
RANKS = (1, 4, 6)
MESHES = ((1237, 5, 7), (6, 1, 0))  # cells, levels, steps; in the second several ranks have no cells
FILL = numpy.float32(1e20)
# PnetCDF writes through MPI-IO. OMPIO of Open MPI 4.1 loses data of ranks that write close to each other (its data
# sieving reads and writes back without a lock), so that ROMIO is taken.
WITH_ROMIO = {"OMPI_MCA_io": "^ompio"}


def expected(cells, levels, steps):
    """The values of each variable, NaN on land."""
    cell = numpy.arange(cells)
    lat = numpy.degrees(numpy.arcsin((2.0 * cell + 1) / cells - 1))
    lon = cell * 137.5 % 360
    water = numpy.where((lat > -30) & (lat < 60) & (lon > 40) & (lon < 140), numpy.nan, 1)
    depth = 5.0 * (1 + numpy.arange(levels)) ** 2
    wave = numpy.sin(numpy.radians(lon) + 0.1 * numpy.arange(steps + 1)[:, None])[:, None, :]
    warm, surface = numpy.cos(numpy.radians(lat)), numpy.exp(-depth / 1000)[None, :, None]
    return {"time": 6.0 * numpy.arange(steps + 1), "depth": depth, "lat": lat * water, "lon": lon * water,
            "thetao": (2 + (25 * warm + wave) * surface) * water, "so": (35 + warm - 0.25 * wave * surface) * water,
            "zos": (warm * wave)[:, 0, :] * water}


def check_file(path, values):
    with netCDF4.Dataset(path) as file:
        assert file.data_model == "NETCDF3_64BIT_DATA", file.data_model
        assert file.Conventions == "CF-1.8" and file.dimensions["time"].isunlimited()
        assert set(file.variables) == set(values), set(file.variables)
        assert file["time"].calendar == "standard" and file["depth"].positive == "down"
        for name, variable in file.variables.items():
            assert variable.shape == values[name].shape, (name, variable.shape)
            assert variable.dtype == (numpy.float64 if name in ("time", "depth") else numpy.float32)
            land = numpy.isnan(values[name])
            assert numpy.array_equal(numpy.ma.getmaskarray(variable[...]), land), name
            assert numpy.allclose(variable[...][~land], values[name][~land], rtol=1e-6, atol=1e-6), name
            variable.set_auto_mask(False)
            assert (variable[...][land] == FILL).all(), name
    check_conventions(path, values)


def check_conventions(path, values):
    """What xarray makes of the attributes: coordinates, times, and land as NaN."""
    with xarray.open_dataset(path, engine="netcdf4") as data:
        hours = (data["time"].values - numpy.datetime64("2000-01-01T00:00:00")) / numpy.timedelta64(1, "h")
        assert numpy.array_equal(hours, values["time"]), hours
        for name, standard_name in (("thetao", "sea_water_potential_temperature"), ("so", "sea_water_salinity"),
                                    ("zos", "sea_surface_height_above_geoid")):
            assert data[name].attrs["standard_name"] == standard_name and "units" in data[name].attrs
            assert {"lat", "lon", "time"} <= set(data[name].coords), data[name].coords
            assert numpy.allclose(data[name].values, values[name], rtol=1e-6, atol=1e-6, equal_nan=True), name


def content(path):
    """All that a file holds, in a form that can be compared."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        variables = {name: (variable.dimensions, variable.dtype.str, variable.__dict__, variable[...].tobytes())
                     for name, variable in file.variables.items()}
        return file.__dict__, variables


def run_all(program, mesh):
    """The content of its file, which is the same however many ranks wrote it."""
    values, seen = expected(*mesh), []
    for ranks in RANKS:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ocean.nc")
            sizes = [word for pair in zip(("--cells", "--levels", "--steps"), map(str, mesh)) for word in pair]
            subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", str(ranks), program, "--file", path, *sizes],
                           check=True, timeout=100, env=os.environ | WITH_ROMIO)
            check_file(path, values)
            assert os.listdir(folder) == ["ocean.nc"], os.listdir(folder)
            seen.append(content(path))
    assert all(contents == seen[0] for contents in seen), f"{program}: files of several runs differ"
    print(os.path.basename(program), "writes the same with", RANKS, "ranks:", mesh)
    return seen[0]


def check_lengths():
    lines = {name: len((SOURCES / name).read_text().splitlines()) for name in ("ocean.c", "peers/ocean_pnetcdf.c")}
    print("lines:", lines)
    assert lines["ocean.c"] <= lines["peers/ocean_pnetcdf.c"], lines


def check_arguments():
    for word, code in (("--help", 0), ("--unknown", 1)):
        said = subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "1", OCEAN, word], capture_output=True, text=True,
                              timeout=60)
        assert said.returncode == code and "--file FILE" in said.stdout, said


check_lengths()
check_arguments()
for MESH in MESHES:
    CONTENT = run_all(OCEAN, MESH)
    if OCEAN_BY_PNETCDF == "none":
        print("ocean_pnetcdf: not compared, there is no PnetCDF for this MPI library")
    else:
        assert run_all(OCEAN_BY_PNETCDF, MESH) == CONTENT, "the files of the two programs differ"
        print("the files of the two programs have the same content")
