"""Exit code 1 if the README leaves out a side of the demonstration, or shows one that is not run."""

import pathlib
import re
import sys
import types

SOURCE = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "demo"))
import show  # noqa: E402
from show import columns  # noqa: E402

_EVERYTHING_BUILT = types.SimpleNamespace(program=lambda name: name, io_layers=("ompio", "romio"), pnetcdf_version="1.12.3")

run = {*show.sides_of(_EVERYTHING_BUILT), *columns.sides_of(_EVERYTHING_BUILT, show.OURS)}
shown = set()
for line in (SOURCE / "README.md").read_text().splitlines():
    if re.match(r"    \| .*\|$", line):
        shown.add(line.split("|")[1].strip())
shown.discard("seconds in")
for name in sorted(run - shown):
    print(f"README.md has no row of: {name}")
for name in sorted(shown - run):
    print(f"README.md shows what is not run: {name}")
sys.exit(0 if run == shown else 1)
