"""unattached.py MAKER STEPS: records and a variable are added by STEPS (netcdf4_steps.c) to a file without attached
dimension scales, which MAKER makes (unattached.c). Exit code 77: a module is not there, or MAKER cannot."""

import os
import subprocess
import sys
import tempfile

maker, steps_program = sys.argv[1:3]
try:
    import h5py
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)


def record(put, count):
    return (7 * put + numpy.arange(count)) % 100


with tempfile.TemporaryDirectory() as folder:
    path, steps = os.path.join(folder, "a.nc"), os.path.join(folder, "steps")
    made = subprocess.run([maker, path], check=False)
    if made.returncode != 0:
        sys.exit(made.returncode)
    with h5py.File(path) as file:
        assert "DIMENSION_LIST" not in file["v"].attrs and "_Netcdf4Coordinates" in file["v"].attrs
    lines = [f"open {path}", "put v 3 3", "part v 4 4", "put t 4 4"]
    lines += ["variable w f4 -1.5 0 0 t x", "put w 1 1", f"dump v {path}.v", "close"]
    with open(steps, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", steps_program, steps], check=True)
    expected = numpy.array([record(t, 15).reshape(5, 3) for t in range(5)])
    assert numpy.array_equal(numpy.fromfile(path + ".v").reshape(5, 5, 3), expected)
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        assert len(file.dimensions["t"]) == 5 and file["v"].dimensions == ("t", "y", "x")
        assert numpy.array_equal(file["v"][...], expected)
        assert list(file["t"][[0, 1, 2, 4]]) == [0, 7, 14, 28]
        assert file["w"].dimensions == ("t", "x")
        w = numpy.full((5, 3), -1.5)
        w[1] = record(1, 3)
        assert numpy.array_equal(file["w"][...], w)
