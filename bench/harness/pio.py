"""pio: the PIO interface on the arrays of w6, in CDF-5 and netCDF-4 files: one call for each variable, from C and from
Fortran, beside the native calls in CDF-5 and beside PnetCDF on the I/O ranks after one MPI_Alltoallv, which is what other
libraries with this interface do. The row `raw` moves as many bytes without a library: what is possible at all."""

from __future__ import annotations

from harness import maps, scattered
from harness.cases import Case
from harness.session import Session
from harness.sides import PIO, PIO_FORTRAN, PIO_NETCDF4, PIO_SYNC_EACH, RAW_OF_ALL_RANKS, SCATTERED, Side

_OURS = (PIO, PIO_FORTRAN, PIO_SYNC_EACH, *PIO_NETCDF4)
_NATIVE, _NATIVE_EACH = SCATTERED[:2]
_BESIDE_PIO = {PIO_SYNC_EACH.name: "ratio_one_sync", PIO_FORTRAN.name: "ratio_c"}


def steps_of(session: Session) -> int:
    return scattered.steps_of(session)


def run(session: Session) -> None:
    scattered.run_cases(session, "pio", run_job)


def run_job(session: Session, job: maps.Job) -> None:
    sides = (*_OURS, _NATIVE, _NATIVE_EACH, RAW_OF_ALL_RANKS)
    scattered.compare(session, job, _Comparison, Case("pio", job.ranks, ("pnetcdf_rearranged",), label=job.name, ours=sides))


class _Comparison(scattered.Comparison):
    def sides(self) -> list:
        reading = self.direction == "read"
        return [side for side in super().sides() if not (reading and side == PIO_SYNC_EACH)]

    def with_input(self, wanted: list[Side]) -> list[Side]:
        if RAW_OF_ALL_RANKS in wanted:
            self._start(RAW_OF_ALL_RANKS, "write", extra=())
        super().with_input([side for side in wanted if side != RAW_OF_ALL_RANKS])
        return wanted

    def check_written(self, side: Side) -> None:
        if side != RAW_OF_ALL_RANKS:
            super().check_written(side)

    def needs_no_repetition(self, side: Side) -> bool:
        """Single native calls are compared with."""
        return side.peer and super().needs_no_repetition(side)

    def complete(self, found: list[dict]) -> None:
        """Written variables are compared with one native call for all, read ones with one for each."""
        super().complete(found)
        median = {row["side"]: row["median_s"] for row in found}
        native = median.get((_NATIVE if self.direction == "write" else _NATIVE_EACH).name)
        rearranged = min((row["median_s"] for row in found if row["peer"]), default=None)
        raw = median.get(RAW_OF_ALL_RANKS.name)
        for row in found:
            if row["side"] not in [side.name for side in _OURS]:
                continue
            row["ratio_rearranged"] = rearranged / row["median_s"] if rearranged else None
            row["ratio_native"] = row["median_s"] / native if native else None
            row["ratio_raw"] = raw / row["median_s"] if raw else None
            row["rearranged_of_raw"] = rearranged / raw if rearranged and raw else None
            if PIO.name in median and row["side"] in _BESIDE_PIO:
                row[_BESIDE_PIO[row["side"]]] = row["median_s"] / median[PIO.name]
