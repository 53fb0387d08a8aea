"""unlimited_foreign.py STEPS: files of h5py with variables that have unlimited inner dimensions, and end in them before
the dimensions do: with a filter that only HDF5 has, with space that was allocated early, and with any values in chunks
beyond their ends. STEPS (unlimited.c) reads and extends them, and refuses what does not fit. Exit code 77: h5py is
missing."""

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

SHAPE, ARGUMENT, LIMIT = -7, -1, -12


def elements(put, shape):
    return ((7 * put + numpy.arange(numpy.prod(shape))) % 100).reshape(shape)


def run(folder, lines):
    path = os.path.join(folder, "steps")
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", "3", steps_program, path], check=True)


def dumped(folder, shape, *names):
    for name in names:
        got = numpy.fromfile(os.path.join(folder, name))
        assert got.size == numpy.prod(shape), (name, got.size, shape)
        yield got.reshape(shape)


# Variables over t (4) and u (5), which `full` has in full.
def make(path):
    with h5py.File(path, "w") as file:
        for name, length in {"t": 4, "u": 5}.items():
            file.create_dataset(name, data=numpy.arange(length), maxshape=(None,), chunks=(2,)).make_scale(name)

        def define(name, shape, **form):
            made = file.create_dataset(
                name, shape, "i4", maxshape=(None, None), chunks=(2, 4), fillvalue=-7, track_times=False, **form
            )
            made.dims[0].attach_scale(file["t"])
            made.dims[1].attach_scale(file["u"])
            return made

        define("full", (4, 5))[...] = elements(1, (4, 5))
        define("of_hdf5", (3, 2), scaleoffset=0)[...] = elements(2, (3, 2))
        junk = define("junk", (3, 3))
        for start in [(0, 0), (2, 0)]:
            junk.id.write_direct_chunk(start, elements(3, (2, 4)).astype("i4").tobytes())
        early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        early.set_chunk((2, 4))
        early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        space = h5py.h5s.create_simple((3, 3), (h5py.h5s.UNLIMITED, h5py.h5s.UNLIMITED))
        h5py.h5d.create(file.id, b"early", h5py.h5t.NATIVE_INT32, space, early)
        file["early"][...] = elements(4, (3, 3))
        file["early"].dims[0].attach_scale(file["t"])
        file["early"].dims[1].attach_scale(file["u"])


def padded(shape, inside, fill=-7):
    array = numpy.full(shape, fill)
    array[tuple(slice(0, n) for n in inside.shape)] = inside
    return array


def check_reads(folder, path):
    names = ["full", "of_hdf5", "junk", "early"]
    lines = [f"open {path}"]
    for name in names:
        lines += [f"{way} {name} {folder}/{name}.{way}" for way in ["dump", "read"]]
    run(folder, lines + ["close"])
    chunk = elements(3, (2, 4))
    expected = {
        "full": elements(1, (4, 5)),
        "of_hdf5": padded((4, 5), elements(2, (3, 2))),
        "junk": padded((4, 5), numpy.concatenate([chunk[:, :3], chunk[:1, :3]])),
        "early": elements(4, (3, 3)),
    }
    for name in names:
        for got in dumped(folder, expected[name].shape, f"{name}.dump", f"{name}.read"):
            assert numpy.array_equal(got, expected[name]), (name, got)


# The chunks of `junk` are changed: of their elements beyond its ends, row 3 becomes a part of it and was not put.
def check_extension(folder, path):
    run(
        folder,
        [
            f"open {path}",
            f"refused {SHAPE} early 0 5",
            f"refused {ARGUMENT} junk 1 2 2",
            f"refused {SHAPE} junk 0 2 2 2",
            "boxes junk 5 0 3 4 1",
            "boxes full 6 0 5 2 1",
            "close",
        ],
    )
    chunk = elements(3, (2, 4))
    junk = padded((4, 4), numpy.concatenate([chunk[:, :3], chunk[:1, :3]]))
    junk[:, 3] = elements(5, 4)
    full = padded((4, 6), elements(1, (4, 5)))
    full[0:2, 5] = [42, 43]
    with h5py.File(path, "r") as file:
        assert file["t"].shape == (4,) and file["u"].shape == (6,)
        assert numpy.array_equal(file["junk"][...], junk), file["junk"][...]
        assert numpy.array_equal(file["full"][...], full), file["full"][...]
        assert numpy.array_equal(file["early"][...], elements(4, (3, 3)))


# A new file of format hdf5, with growth between synchronisation points and opens.
def check_new(folder):
    path = os.path.join(folder, "new.h5")
    run(
        folder,
        [
            f"create {path} hdf5",
            "dimension t 0",
            "dimension x 3",
            "dimension u 0",
            "variable a i4 -7 deflate 3 t x u 2 2 4",
            f"refused {SHAPE} a 0 2 4",
            f"refused {SHAPE} a 0 4",
            f"refused {ARGUMENT} a -1 3 4",
            f"refused {LIMIT} a {2**40} 3 4",
            f"refused {LIMIT} a {2**62} 3 4",
            "darray a 0 1 3 2",
            "sync",
            "darray a 1 2 3 6",
            "close",
            f"open {path}",
            "darray a 0 3 3 3 5",
            "close",
        ],
    )
    a = padded((3, 3, 6), elements(3, (3, 3, 5)))
    a[1, :, 5] = elements(2, (3, 6))[:, 5]
    with h5py.File(path, "r") as file:
        assert numpy.array_equal(file["a"][...], a), file["a"][...]


with tempfile.TemporaryDirectory() as work:
    file_path = os.path.join(work, "foreign.h5")
    make(file_path)
    check_reads(work, file_path)
    check_extension(work, file_path)
    check_new(work)
