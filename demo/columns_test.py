"""columns_test.py BUILD_DIR: the demonstration's second job on few ranks, each file checked by netCDF4."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import columns  # noqa: E402
from harness.launch import Build  # noqa: E402

build = Build(pathlib.Path(sys.argv[1]))
for ranks, io_ranks in ((1, 1), (4, 2), (5, 3)):
    with tempfile.TemporaryDirectory() as scratch:
        sides = columns.sides_of(build, "SCORPIO")
        lines = columns.run_all(build, sides, ranks, io_ranks, 1, pathlib.Path(scratch), print)
        assert all(len(runs) == 1 for runs in lines.values()), lines
