"""zfp.py PROGRAM: HDF5's plugin for zfp reads what this library has encoded, and the library what the plugin has; PROGRAM is
zfp.c. Exit code 77: a module or zfp is not there."""

import os
import subprocess
import sys
import tempfile

program = sys.argv[1]
try:
    import h5py
    import hdf5plugin
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)


def run(*arguments):
    return subprocess.run(
        [os.environ["SCORPIO_MPIRUN"], "-n", "3", program, *arguments], check=False, capture_output=True, text=True
    )


VALUES = 280 + numpy.arange(30)[:, None] ** 2 / 7 + numpy.arange(40)[None, :] ** 2 / 11
MODES = {
    "accuracy": {"accuracy": 0.03},
    "precision": {"precision": 18},
    "rate": {"rate": 12},
    "reversible": {"reversible": True},
}

with tempfile.TemporaryDirectory() as folder:
    ours, theirs, out = (os.path.join(folder, name) for name in ("ours.nc", "theirs.h5", "elements"))
    written = run("write", ours)
    if "not built in" in written.stderr:
        print("zfp is not built in")
        sys.exit(77)
    assert written.returncode == 0, written.stderr
    with h5py.File(ours) as file:
        for name, bound in (("accuracy", 1 / 32), ("precision", 0.01), ("reversible", 0)):
            data = file[name]
            assert "32013" in data._filters, data._filters
            assert data.id.get_storage_size() < data.size * data.dtype.itemsize
            assert all(data.id.get_chunk_info(i).filter_mask == 0 for i in range(data.id.get_num_chunks())), name
            error = numpy.abs(data[...].astype("f8") - VALUES).max()
            assert error <= bound and (bound == 0 or error > 0), (name, error)

    with h5py.File(theirs, "w") as file:
        for name, mode in MODES.items():
            file.create_dataset(name, data=VALUES, chunks=(10, 20), **hdf5plugin.Zfp(**mode))
    with h5py.File(theirs) as file:
        for name in MODES:
            read = run("read", theirs, name, out)
            assert read.returncode == 0, read.stderr
            assert numpy.array_equal(numpy.fromfile(out).reshape(30, 40), file[name][...]), name
