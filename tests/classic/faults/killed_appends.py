"""killed_appends.py GROWING some|every: a rank is killed at each (or some) of its storage calls while records are appended, each
with a posted sync, and the close is posted, too. netCDF4 finds every record that the header describes whole, and those of before;
a run that follows appends all. Exit code 77: a module is not there."""

import os
import shutil
import subprocess
import sys
import tempfile

growing, which = sys.argv[1:3]
try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(missing)
    sys.exit(77)

RECORDS, LENGTH, TIMEOUT = 5, 999, 60
# The delays leave writes to the workers.
ENVIRONMENT = os.environ | {
    "SCORPIO_ASYNCHRONOUS": "true",
    "SCORPIO_BLOCK_BYTES": "4KiB",
    "SCORPIO_CLOSE": "post",
    "SCORPIO_IO_RANKS": "2",
    "SCORPIO_STAGING_BYTES": "256KiB",
    "SCORPIO_SYNC": "post",
}
DELAY = "write:1+=4ms"


def run(*arguments):
    command = [os.environ["SCORPIO_MPIRUN"], "-n", "3", growing, *map(str, arguments)]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, check=False, timeout=TIMEOUT)


def expected(record):
    return (record * 1000 + numpy.arange(LENGTH)).astype("i2")


def check(path, least, what):
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        records = file["b"][:]
        assert least <= len(records) <= 2 * RECORDS, f"{what}: {len(records)} records"
        for number, record in enumerate(records):
            assert (record == expected(number)).all(), f"{what}: record {number} of {len(records)}"
        assert (file["a"][:] == 1.5 * numpy.arange(6000)).all(), what
        return len(records)


with tempfile.TemporaryDirectory() as folder:
    old, path = os.path.join(folder, "old.nc"), os.path.join(folder, "a.nc")
    made = run("make", old)
    assert made.returncode == 0, made.stdout
    check(old, RECORDS, "the file before")
    found = set()
    for rank in (0, 1):
        calls = range(1, 200) if which == "every" else ((2, 9, 14, 18, 24) if rank == 0 else (2, 4))
        for call in calls:
            shutil.copy(old, path)
            what = f"killed at call {call} of rank {rank}"
            over = run("append", path, f"any:{call}=kill;{DELAY}", rank, DELAY).returncode == 0
            found.add(check(path, 2 * RECORDS if over else RECORDS, what))
            if over:
                break
            again = run("append", path)
            assert again.returncode == 0, f"{what}, the next run: {again.stdout}"
            check(path, 2 * RECORDS, f"{what}, the next run")
    assert which != "every" or len(found) > 2, f"only {found} records were found"
    print(f"{sorted(found)} records were found, all whole")
