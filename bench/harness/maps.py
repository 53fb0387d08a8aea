"""Who holds which elements in the cases F, G and I of the E3SM I/O benchmark: its decomposition maps, of 16 ranks."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib

from harness.launch import ROOT, RunFailed

RANKS = 16
MISSING = ("the decomposition maps of the E3SM I/O benchmark are not here: set SCORPIO_DATA to a folder that holds "
           "map_f_case_16p.nc, map_g_case_16p.nc and map_i_case_16p.nc")


@dataclasses.dataclass
class Division:
    """How variables of one shape are divided among the ranks."""

    dims: list[int]
    runs: list[list[tuple[int, int]]]  # of each rank, in the order of its memory: (start, elements), flattened
    with_data: list[int]               # so many of a rank's runs hold data; the others are to be filled
    variables: int = 1


@dataclasses.dataclass
class Job:
    name: str
    element_type: str  # float32, float64
    divisions: list[Division]

    @property
    def ranks(self) -> int:
        return len(self.divisions[0].runs)


# Number of variables of each map, and their type: the file h0 of F and I, and the one of G.
_CASES = {"F": ("float32", (1, 323, 63)), "G": ("float64", (6, 2, 25, 2, 2, 4)), "I": ("float32", (465, 75, 4, 1, 1))}
CASES = tuple(_CASES)


def path_of(case: str) -> pathlib.Path | None:
    folder = pathlib.Path(os.environ.get("SCORPIO_DATA") or ROOT.parent / "shared" / "data")
    path = folder / f"map_{case.lower()}_case_16p.nc"
    return path if path.is_file() else None


def read(case: str) -> Job | None:
    """None: the map is not here."""
    path = path_of(case)
    if path is None:
        return None
    import netCDF4  # not needed by workloads without maps

    element_type, variables = _CASES[case]
    with netCDF4.Dataset(path) as file:
        return Job(case, element_type, [_division(path, file, f"D{k + 1}", n) for k, n in enumerate(variables)])


def _division(path: pathlib.Path, file, name: str, variables: int) -> Division:
    counts, starts, lengths = (file[f"{name}.{what}"][:].tolist() for what in ("nreqs", "offsets", "lengths"))
    dims = file.getncattr(f"{name}.dims")
    runs = iter(zip(starts, lengths))
    found = Division([int(extent) for extent in (dims if hasattr(dims, "__len__") else [dims])],
                     [list(itertools.islice(runs, count)) for count in counts],
                     file[f"{name}.fill_starts"][:].tolist(), variables)
    if len(counts) != RANKS or any(start // found.dims[-1] != (start + count - 1) // found.dims[-1]
                                   for start, count in zip(starts, lengths)):
        raise RunFailed(f"{path}: {name} is not of {RANKS} ranks, or a run goes on in the next row")
    return found


def write_text(job: Job, path: pathlib.Path) -> None:
    """For the programs (bench/common/scattered.h)."""
    with path.open("w") as file:
        print(job.element_type, job.ranks, len(job.divisions), file=file)
        for division in job.divisions:
            print(division.variables, len(division.dims), *division.dims, file=file)
            for runs, with_data in zip(division.runs, division.with_data):
                print(len(runs), with_data, *itertools.chain.from_iterable(runs), file=file)
