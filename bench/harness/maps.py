"""Who holds which elements: the decomposition maps of the E3SM I/O benchmark, those of 16 ranks of its cases F, G and I,
and those of the ne30 grid, of 512 ranks."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib

from harness.launch import ROOT, RunFailed

RANKS = 16
MISSING = ("the decomposition maps of the E3SM I/O benchmark are not here: set SCORPIO_DATA to a folder that holds "
           "map_f_case_16p.nc, map_g_case_16p.nc and map_i_case_16p.nc")


MISSING_COLUMNS = ("the decomposition maps of the E3SM I/O benchmark are not here: set SCORPIO_DATA to a folder that holds "
                   "48602x72_512p_D1.nc and 48602x72_512p_D2.nc")
_LEVELS = 72


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
    return _present(f"map_{case.lower()}_case_16p.nc")


def _present(name: str) -> pathlib.Path | None:
    path = pathlib.Path(os.environ.get("SCORPIO_DATA") or ROOT.parent / "shared" / "data") / name
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


def read_columns(ranks: int = RANKS) -> Job | None:
    """The columns of the ne30 grid, those of consecutive ranks of the map united: two variables of the columns in the order
    of each map, and one of all levels of the second. None: the maps are not here."""
    paths = [_present(f"48602x72_512p_{name}.nc") for name in ("D1", "D2")]
    if None in paths:
        return None
    import netCDF4

    divisions = []
    for path in paths:
        with netCDF4.Dataset(path) as file:
            columns = len(file.dimensions["array_size"])
            of_ranks = [list(zip(file[f"off_{rank:05d}"][:].tolist(), file[f"len_{rank:05d}"][:].tolist()))
                        for rank in range(len(file.dimensions["num_procs"]))]
        divisions.append(whole_division([columns], merged(of_ranks, ranks), 2))
    levels = [[(level * columns + start, count) for level in range(_LEVELS) for start, count in runs]
              for runs in divisions[-1].runs]
    return Job("ne30", "float64", [*divisions, whole_division([_LEVELS, columns], levels, 1)])


def whole_division(dims: list[int], runs: list[list[tuple[int, int]]], variables: int) -> Division:
    """Without elements to be filled."""
    return Division(dims, runs, [len(of_rank) for of_rank in runs], variables)


def merged(of_ranks: list[list[tuple[int, int]]], ranks: int) -> list[list[tuple[int, int]]]:
    """The runs of consecutive ranks united, ascending; those that touch become one."""
    united = len(of_ranks) // ranks
    if united * ranks != len(of_ranks):
        raise RunFailed(f"a map of {len(of_ranks)} ranks cannot be merged to {ranks}: give a number that divides it")
    found = []
    for first in range(0, len(of_ranks), united):
        runs: list[tuple[int, int]] = []
        for start, count in sorted(itertools.chain.from_iterable(of_ranks[first:first + united])):
            if runs and sum(runs[-1]) == start:
                runs[-1] = (runs[-1][0], runs[-1][1] + count)
            else:
                runs.append((start, count))
        found.append(runs)
    return found


def write_text(job: Job, path: pathlib.Path) -> None:
    """For the programs (bench/common/scattered.h)."""
    with path.open("w") as file:
        print(job.element_type, job.ranks, len(job.divisions), file=file)
        for division in job.divisions:
            print(division.variables, len(division.dims), *division.dims, file=file)
            for runs, with_data in zip(division.runs, division.with_data):
                print(len(runs), with_data, *itertools.chain.from_iterable(runs), file=file)
