"""The timed comparisons: workload, ranks, sizes, and who takes part."""

from __future__ import annotations

import dataclasses

from harness import sides
from harness.sides import Side


@dataclasses.dataclass(frozen=True)
class Case:
    workload: str
    ranks: int
    libraries: tuple[str, ...]
    sizes: tuple[str, ...] = ()
    label: str = ""  # tells the cases of a workload apart
    ours: tuple[Side, ...] = (sides.OURS,)
    quick: bool = True  # also in quick comparisons
    hopeless: float = 2.5  # a peer whose first run takes this many times the fastest peer's is not repeated


_DIVIDED = (sides.COMBINED, sides.PER_VARIABLE, sides.PUT_VARIABLES, sides.PUT)
_POSTED = (sides.COMBINED, sides.PER_VARIABLE)
_PATTERN_PEERS = ("pnetcdf_pattern", "hdf5_pattern")
_OFTEN = 1.5  # the tables are long


def _table_2009() -> list[Case]:
    """Gao et al. 2009: time of one operation for all variables, and of one for each."""
    cases = []
    for form in ("fixed", "record"):
        for variables in (10, 20):
            for extent in (8, 32, 50):
                # Parallel HDF5 has no interleaved records: it would write the same file in both forms.
                fixed = form == "fixed"
                cases.append(Case("w2", 16, _PATTERN_PEERS if fixed else _PATTERN_PEERS[:1],
                                  ("--form", form, "--variables", str(variables), "--extent", str(extent)),
                                  f"{form} {variables} x {extent}^3", _DIVIDED if fixed else _POSTED,
                                  variables == 10 and extent != 32, _OFTEN))
    return cases


def _pattern(workload: str, label: str, sizes: tuple[str, ...], ours: tuple[Side, ...],
             libraries: tuple[str, ...] = _PATTERN_PEERS) -> Case:
    return Case(workload, 16, libraries, sizes, label, ours, hopeless=_OFTEN)


CASES = {
    "w1": [Case("w1", 16, ("hdf5",), ours=(sides.OURS, sides.INTERFACE_2012))],
    "w2d": [Case("w2d", 16, ("hdf5",)),
            Case("w2d", 64, ("hdf5", "pnetcdf"), ("--variables", "20", "--extent", "128"))],
    "w2": _table_2009(),
    "w2v": [_pattern("w2v", "40 x 32^3 float64", (), _DIVIDED)],
    "w3": [_pattern("w3", "class A", (), (*_POSTED, sides.SEPARATE), ("pnetcdf_btio", "hdf5_pattern"))],
    "w4": [_pattern("w4", f"{form}, 80/81/82 blocks", ("--form", form, "--extent", "80"), _POSTED)
           for form in ("checkpoint", "centred", "corner")],
    "w7": [_pattern("w7", grid, ("--form", grid), _DIVIDED) for grid in ("100x100", "200x300")],
    # A contiguous part per rank is one request: there is nothing to combine.
    "w8": [_pattern("w8", form, ("--form", form), ours, ("mpiio_pattern",))
           for form, ours in (("contiguous", _POSTED[:1]), ("strided", _POSTED), ("hard", _POSTED))],
}
