"""unwritable.py FILE: an HDF5 file of h5py with three variables over `x`, of which `b` is stored in its object header, for
unwritable_test.cpp. Exit code 77: a module is missing."""

import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

with h5py.File(sys.argv[1], "w") as file:
    file.create_dataset("x", data=numpy.arange(6.0)).make_scale("x")
    for name in "abc":
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_layout(h5py.h5d.COMPACT if name == "b" else h5py.h5d.CONTIGUOUS)
        h5py.h5d.create(file.id, name.encode(), h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((6,)), creation)
        file[name][:] = -1.0
        file[name].dims[0].attach_scale(file["x"])
