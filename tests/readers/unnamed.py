"""unnamed.py STEPS: data sets of h5py that can grow and have no dimension scales, or not for all dimensions, are extended by
STEPS (unlimited.c) and by h5py in turn. Each has lengths of its own. Exit code 77: h5py is missing."""

import os
import subprocess
import sys
import tempfile

steps_program = sys.argv[1]
try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

SHAPE = -7
FORMS = {
    "rows": ((3, 4), (None, 4), {"chunks": (2, 4), "compression": "gzip", "shuffle": True}),
    "plain": ((2,), (None,), {"chunks": (4,)}),
    "g/both": ((2, 3), (None, None), {"chunks": (2, 2), "compression": "gzip"}),
    "inner": ((2, 3), (2, None), {"chunks": (1, 2)}),
    "mixed": ((2, 4), (None, None), {"chunks": (2, 3), "fletcher32": True}),
    "empty": ((0, 4), (None, 4), {"chunks": (1, 4)}),
}


def elements(put, shape):
    return ((7 * put + numpy.arange(numpy.prod(shape))) % 100).reshape(shape)


class Model:
    def __init__(self):
        self.arrays = {name: elements(9, shape) for name, (shape, _, _) in FORMS.items()}

    def put(self, name, k, start, count):
        old = self.arrays[name]
        new = numpy.full([max(n, s + c) for n, s, c in zip(old.shape, start, count)], -7)
        new[tuple(slice(0, n) for n in old.shape)] = old
        new[tuple(slice(s, s + c) for s, c in zip(start, count))] = elements(k, count)
        self.arrays[name] = new


def make(path, model):
    with h5py.File(path, "w") as file:
        for name, (_, most, form) in FORMS.items():
            file.create_dataset(name, data=model.arrays[name].astype("i4"), maxshape=most, fillvalue=-7, **form)
        file.create_dataset("t", data=numpy.arange(4.0), maxshape=(None,), chunks=(4,)).make_scale("t")
        file["mixed"].dims[1].attach_scale(file["t"])
        early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        early.set_chunk((2,))
        early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        h5py.h5d.create(file.id, b"early", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((3,), (h5py.h5s.UNLIMITED,)), early)


def check(path, model):
    with h5py.File(path) as file:
        for name, array in model.arrays.items():
            found = file[name][...]
            padded = numpy.full(array.shape, -7)
            padded[tuple(slice(0, n) for n in found.shape)] = found
            assert numpy.array_equal(padded, array), (name, found, array)
            assert name == "mixed" or found.shape == array.shape, (name, found.shape)
            assert not file[name].dims[0].keys(), name
        assert sorted(file) == sorted(["early", "empty", "g", "inner", "mixed", "plain", "rows", "t"]), list(file)


# Puts of our library: by requests, by each rank and by one.
def ours(folder, path, model, puts):
    lines = [f"open {path}", f"refused {SHAPE} early 0 5"]
    for way, name, k, start, count in puts:
        lines.append(" ".join(map(str, [way, name, k, *start, *count])))
        model.put(name, k, start, count)
        if k % 3 == 0:
            lines.append("sync")
    lines += [f"dump {name} {folder}/{name.replace('/', '_')}" for name in FORMS] + ["close"]
    steps = os.path.join(folder, "steps")
    with open(steps, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", steps_program, steps], check=True)
    for name, array in model.arrays.items():
        got = numpy.fromfile(os.path.join(folder, name.replace("/", "_")))
        assert got.size == array.size and numpy.array_equal(got.reshape(array.shape), array), (name, got, array)
    check(path, model)


def theirs(path, model, puts):
    with h5py.File(path, "r+") as file:
        for name, k, start, count in puts:
            model.put(name, k, start, count)
            file[name].resize(model.arrays[name].shape)
            file[name][...] = model.arrays[name]
    check(path, model)


with tempfile.TemporaryDirectory() as folder:
    path, model = os.path.join(folder, "a.h5"), Model()
    make(path, model)
    ours(
        folder,
        path,
        model,
        [
            ("boxes", "rows", 1, (3, 0), (2, 4)),
            ("each", "rows", 2, (7, 0), (3, 4)),
            ("all", "plain", 3, (2,), (7,)),
            ("each", "g/both", 4, (1, 2), (3, 4)),
            ("boxes", "inner", 5, (0, 4), (2, 3)),
            ("all", "mixed", 6, (3, 2), (2, 4)),
            ("boxes", "empty", 7, (1, 0), (4, 4)),
        ],
    )
    theirs(path, model, [("rows", 11, (12, 1), (2, 3)), ("g/both", 12, (0, 9), (6, 1)), ("plain", 13, (20,), (3,))])
    ours(
        folder,
        path,
        model,
        [
            ("all", "rows", 21, (13, 0), (3, 4)),
            ("boxes", "g/both", 22, (5, 3), (3, 8)),
            ("each", "plain", 23, (22,), (9,)),
            ("boxes", "inner", 24, (0, 1), (2, 9)),
            ("all", "empty", 25, (5, 1), (2, 2)),
        ],
    )
