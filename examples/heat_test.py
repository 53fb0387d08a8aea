"""heat_test.py SOURCES HEAT HEAT_BY_PNETCDF|none: runs the two programs with several numbers of ranks, reads their files
with netCDF4 and xarray, and compares them: by value, with a model in numpy, an interrupted run with one that was not
interrupted, and the two programs with each other, also their lengths. Exit code 77: a module is not there."""

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

SOURCES, HEAT, HEAT_BY_PNETCDF = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
RANKS = (1, 4, 6)
STEPS, MIDDLE, EVERY, NY, NX = 60, 25, 10, 37, 53
SECONDS_PER_STEP = 0.5
# PnetCDF writes through MPI-IO. OMPIO of Open MPI 4.1 loses data of ranks that write close to each other (its data
# sieving reads and writes back without a lock), so that ROMIO is taken.
WITH_ROMIO = {"OMPI_MCA_io": "^ompio"}


def heat(program, ranks, folder, steps):
    """The names of the history and of the restart file."""
    history, restart = os.path.join(folder, "history.nc"), os.path.join(folder, "restart.nc")
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", str(ranks), program, "--steps", str(steps), "--every", str(EVERY),
                    "--ny", str(NY), "--nx", str(NX), "--history", history, "--restart", restart],
                   check=True, timeout=100, env=os.environ | WITH_ROMIO)
    return history, restart


def expected():
    """The temperatures after each step: [STEPS + 1][NY][NX]."""
    y, x = numpy.arange(NY)[:, None], numpy.arange(NX)[None, :]
    plate = numpy.zeros((NY + 2, NX + 2))
    plate[1:-1, 1:-1] = 100.0 * ((3 * y >= NY) & (3 * y < 2 * NY) & (3 * x >= NX) & (3 * x < 2 * NX))
    states = [plate[1:-1, 1:-1].copy()]
    for _ in range(STEPS):
        cell = plate[1:-1, 1:-1]
        flow = plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:] - 4 * cell
        plate[1:-1, 1:-1] = cell + 0.2 * flow
        states.append(plate[1:-1, 1:-1].copy())
    return numpy.array(states)


def check_history(path, states):
    with netCDF4.Dataset(path) as file:
        assert file.data_model == "NETCDF3_64BIT_DATA", file.data_model
        assert file.dimensions["time"].isunlimited()
        temperature = file["temperature"]
        assert temperature.dimensions == ("time", "y", "x") and temperature.dtype == numpy.float32
        assert temperature.units == "degree_Celsius" and temperature.long_name == "temperature of the plate"
        assert temperature.shape == (STEPS // EVERY + 1, NY, NX), temperature.shape
        assert numpy.allclose(temperature[...], states[::EVERY], rtol=1e-6, atol=1e-6)
    with xarray.open_dataset(path, engine="netcdf4") as data:
        seconds = (data["time"].values - numpy.datetime64("2000-01-01T00:00:00")) / numpy.timedelta64(1, "ms") / 1000
        assert numpy.array_equal(seconds, SECONDS_PER_STEP * EVERY * numpy.arange(STEPS // EVERY + 1)), seconds
        assert data["time"].attrs["long_name"] == "time of the model"
        late = data["temperature"].sel(time="2000-01-01T00:00:25")
        assert numpy.allclose(late.values.squeeze(), states[50], rtol=1e-6, atol=1e-6)


def check_restart(path, states, steps):
    with netCDF4.Dataset(path) as file:
        assert file["step"][...] == steps and file["step"].dtype == numpy.int64
        assert file["temperature"].dtype == numpy.float64
        assert numpy.allclose(file["temperature"][...], states[steps], rtol=1e-12, atol=1e-12)


def content(path):
    """All that a file holds, in a form that can be compared."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        return {name: (variable.dimensions, variable.dtype.str, variable.__dict__, variable[...].tobytes())
                for name, variable in file.variables.items()}


def run_all(program, states):
    """The contents of its two files, which are the same however many ranks wrote them, and in how many runs."""
    seen = []
    for ranks in RANKS:
        with tempfile.TemporaryDirectory() as folder:
            history, restart = heat(program, ranks, folder, STEPS)
            check_history(history, states)
            check_restart(restart, states, STEPS)
            assert sorted(os.listdir(folder)) == ["history.nc", "restart.nc"], os.listdir(folder)
            seen.append((content(history), content(restart)))
        with tempfile.TemporaryDirectory() as folder:
            check_restart(heat(program, ranks, folder, MIDDLE)[1], states, MIDDLE)
            history, restart = heat(program, RANKS[0] + RANKS[-1] - ranks, folder, STEPS)
            seen.append((content(history), content(restart)))
    assert all(contents == seen[0] for contents in seen), f"{program}: files of several runs differ"
    print(os.path.basename(program), "writes the same with", RANKS, "ranks, in one run and in two")
    return seen[0]


def check_lengths():
    lines = {name: len((SOURCES / name).read_text().splitlines()) for name in ("heat.c", "peers/heat_pnetcdf.c")}
    print("lines:", lines)
    assert lines["heat.c"] <= lines["peers/heat_pnetcdf.c"], lines


def check_arguments():
    for word, code in (("--help", 0), ("--unknown", 1)):
        said = subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "1", HEAT, word], capture_output=True, text=True,
                              timeout=60)
        assert said.returncode == code and "--restart FILE" in said.stdout, said


check_lengths()
check_arguments()
STATES = expected()
FILES = run_all(HEAT, STATES)
if HEAT_BY_PNETCDF == "none":
    print("heat_pnetcdf: not compared, there is no PnetCDF for this MPI library")
else:
    assert run_all(HEAT_BY_PNETCDF, STATES) == FILES, "the files of the two programs differ"
    print("the files of the two programs have the same content")
