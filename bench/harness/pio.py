"""pio: the PIO interface on the arrays of w6, in CDF-5 and netCDF-4 files: one call for each variable, beside the native
calls in CDF-5 and beside PnetCDF on the I/O ranks after one MPI_Alltoallv, which is what other libraries with this
interface do."""

from __future__ import annotations

from harness import maps, scattered
from harness.cases import Case
from harness.session import Session
from harness.sides import PIO, PIO_NETCDF4, PIO_SYNC_EACH, SCATTERED

_OURS = (PIO, PIO_SYNC_EACH, *PIO_NETCDF4)
_NATIVE, _NATIVE_EACH = SCATTERED[:2]


def steps_of(session: Session) -> int:
    return scattered.steps_of(session)


def run(session: Session) -> None:
    scattered.run_cases(session, "pio", run_job)


def run_job(session: Session, job: maps.Job) -> None:
    sides = (*_OURS, _NATIVE, _NATIVE_EACH)
    scattered.compare(session, job, _Comparison, Case("pio", job.ranks, ("pnetcdf_rearranged",), label=job.name, ours=sides))


class _Comparison(scattered.Comparison):
    def sides(self) -> list:
        reading = self.direction == "read"
        return [side for side in super().sides() if not (reading and side == PIO_SYNC_EACH)]

    def needs_no_repetition(self, side) -> bool:
        """Single native calls are compared with."""
        return side.peer and super().needs_no_repetition(side)

    def complete(self, found: list[dict]) -> None:
        """Written variables are compared with one native call for all, read ones with one for each."""
        super().complete(found)
        median = {row["side"]: row["median_s"] for row in found}
        native = median.get((_NATIVE if self.direction == "write" else _NATIVE_EACH).name)
        rearranged = min((row["median_s"] for row in found if row["peer"]), default=None)
        for row in found:
            if row["side"] not in [side.name for side in _OURS]:
                continue
            row["ratio_rearranged"] = rearranged / row["median_s"] if rearranged else None
            row["ratio_native"] = row["median_s"] / native if native else None
            if row["side"] == PIO_SYNC_EACH.name and PIO.name in median:
                row["ratio_one_sync"] = row["median_s"] / median[PIO.name]
