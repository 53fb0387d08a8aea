"""The second job of the demonstration: one record of an E3SM atmosphere's output, whose columns lie scattered in the
file, by SCORPIO and by PnetCDF (demo/columns.h)."""

from __future__ import annotations

import pathlib

import netCDF4
import numpy

from harness import maps
from harness.launch import Build, RunFailed
from harness.values import element_values

TITLE = "one record of an E3SM atmosphere's output, 386 variables, runs of two elements"
PHASES = ("init", "decompose", "open", "define", "write", "close")
_FILE = "columns.nc"


def sides_of(build: Build, ours: str) -> dict[str, tuple[str, list[str], dict[str, str]]]:
    """Name: program, arguments, MPI parameters. PnetCDF by ROMIO, which is the faster layer here."""
    sides = {ours: ("columns_scorpio", [], {})}
    if build.program("columns_pnetcdf"):
        layer = {"io": "romio321"} if "romio" in build.io_layers else {}
        name = f"PnetCDF {build.pnetcdf_version}"
        sides[f"{name} iput_varn"] = ("columns_pnetcdf", [], layer)
        sides[f"{name} iput_varn tuned"] = ("columns_pnetcdf", ["--tuned"], layer)
        sides[f"MPI_Alltoallv, {name} on I/O ranks"] = ("columns_rearranged", [], layer)
    else:
        print("not run: PnetCDF, for it was not built for this MPI library")
    return sides


def run_all(build: Build, sides: dict, ranks: int, io_ranks: int, repeat: int, scratch: pathlib.Path,
            step) -> dict[str, list[dict]]:
    """All sides in turn; every element of the first file of each is checked by netCDF4."""
    real = _real_map(ranks, scratch)
    lines: dict[str, list[dict]] = {name: [] for name in sides}
    path = scratch / _FILE
    for repetition in range(repeat):
        for name, (program, options, mca) in list(sides.items())[:: 1 if repetition % 2 == 0 else -1]:
            step(f"{ranks} ranks, scattered columns: {name}")
            path.unlink(missing_ok=True)
            command = ["--file", str(path), "--io-ranks", str(io_ranks), *options, *real]
            lines[name].append(build.run(program, ranks, command, mca=mca).line)
            if repetition == 0:
                _check(path, name)
    path.unlink(missing_ok=True)
    return lines


def _check(path: pathlib.Path, side: str) -> None:
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        for number, (name, variable) in enumerate(file.variables.items()):
            found = variable[:].ravel()
            if not numpy.array_equal(found, element_values(number, 0, found.size, "f4")):
                raise RunFailed(f"{side}: netCDF4 finds wrong elements in {name}")
        if len(file.variables) != 386:
            raise RunFailed(f"{side}: netCDF4 finds {len(file.variables)} variables")


def _real_map(ranks: int, scratch: pathlib.Path) -> list[str]:
    """The map of the benchmark itself, where SCORPIO_DATA has it: a line of columns for each rank."""
    job = maps.read("F") if ranks == maps.RANKS else None
    if job is None:
        return []
    path = scratch / "columns.txt"
    columns = job.divisions[1]
    if any(count != 1 for runs in columns.runs for _, count in runs):
        raise RunFailed(f"{maps.path_of('F')}: runs of D2 are not single columns")
    path.write_text("".join(" ".join(str(start) for start, _ in runs) + "\n" for runs in columns.runs))
    return ["--input", str(path)]
