"""killed_netcdf4.py STEPS some|every: records are appended to a file of netCDF-C by STEPS (netcdf4_steps.c), one rank of
which is killed at each (or some) of its writes. The file can be read afterwards, with the records of the last
synchronisation point, and appended to. Exit code 77: a module is not there."""

import os
import shutil
import subprocess
import sys
import tempfile

steps_program, which = sys.argv[1:3]
try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

SLAB = (40, 30)
NAMES = ("deflated", "plain")


def record(put):
    return ((7 * put + numpy.arange(SLAB[0] * SLAB[1])) % 100).reshape(SLAB)


def make(path):
    with netCDF4.Dataset(path, "w") as file:
        for name, length in (("t", None), ("y", SLAB[0]), ("x", SLAB[1])):
            file.createDimension(name, length)
        for name in NAMES:
            compression = "zlib" if name == "deflated" else None
            made = file.createVariable(name, "i4", ("t", "y", "x"), compression=compression, chunksizes=(4, 20, 30))
            for t in range(3):
                made[t] = record(t)


# Records 3 to 5 before a synchronisation point, record 6 behind it.
def steps(path):
    puts = [[f"put {name} {t} {t}" for t in range(first, last) for name in NAMES] for first, last in ((3, 6), (6, 7))]
    return [f"open {path}", *puts[0], "sync", *puts[1], "close"]


def run(lines, folder, faults=None):
    file = os.path.join(folder, "steps")
    with open(file, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")
    environment = os.environ | {"SCORPIO_STAGING_BYTES": "64KiB", "SCORPIO_BLOCK_BYTES": "4KiB", "SCORPIO_IO_RANKS": "2"}
    if faults:
        environment |= {"STEPS_FAULTS": faults[0], "STEPS_FAULTY_RANK": str(faults[1])}
    command = [os.environ["SCORPIO_MPIRUN"], "-n", "3", steps_program, file]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60)
    assert faults or done.returncode == 0, done.stderr
    return done.returncode == 0


# The number of records.
def check(path, what):
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        lengths = {len(file.dimensions["t"])}
        for name in NAMES:
            found = file[name][...]
            for t, values in enumerate(found):
                assert numpy.array_equal(values, record(t)), (what, name, t)
            lengths.add(len(found))
        assert len(lengths) == 1, (what, lengths)
        return lengths.pop()


with tempfile.TemporaryDirectory() as folder:
    original, path = os.path.join(folder, "original.nc"), os.path.join(folder, "a.nc")
    make(original)
    seen = set()
    for effect in ("kill", "torn"):
        for rank in (0, 1):
            for call in range(1, 200) if which == "every" else (2, 5):
                shutil.copy(original, path)
                complete = run(steps(path), folder, (f"write:{call}={effect}", rank))
                what = f"{effect} at write {call} of rank {rank}"
                run([f"open {path}", "close"], folder)  # which restores the last valid state
                number = check(path, what)
                assert number == 7 if complete else number in (3, 6, 7), (what, number)
                seen.add(number)
                run([line for line in steps(path) if line != "sync"], folder)
                assert check(path, what + ", continued") == 7
                if complete:
                    break
    assert which == "some" or {3, 6, 7} <= seen, seen
