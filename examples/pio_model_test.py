"""pio_model_test.py SOURCES PROGRAM: runs pio_model on 3 ranks, and reads its files with netCDF4. Exit code 77: there is none."""

import os
import subprocess
import sys
import tempfile

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

LEVELS, COLUMNS, STEPS = 3, 10, 6
state = 250 + numpy.arange(LEVELS * COLUMNS).reshape(LEVELS, COLUMNS) / 2
state[0] += numpy.arange(COLUMNS)
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", sys.argv[2], folder], check=True)
    with netCDF4.Dataset(f"{folder}/history.nc") as history:
        assert history.data_model == "NETCDF4" and history.variables["T"].units == "K"
        assert history.variables["T"].filters()["zlib"]
        assert history.variables["time"][:].tolist() == [0.5 * step for step in range(STEPS)]
        for step in range(STEPS):
            assert numpy.array_equal(history.variables["T"][step], state + step + 1), step
    with netCDF4.Dataset(f"{folder}/restart.nc") as restart:
        assert restart.data_model == "NETCDF3_64BIT_DATA" and restart.variables["step"][...] == STEPS // 2
        assert numpy.array_equal(restart.variables["T"][:], state + STEPS // 2)
