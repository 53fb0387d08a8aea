"""w6: the cases F, G and I of the E3SM I/O benchmark on its own maps of 16 ranks: all variables that are divided among
the ranks, one record (the runs of case I are of 240, and 22 GB). Ours in two formats beside PnetCDF: with all runs of
a rank given to it (iput_varn), and after one MPI_Alltoallv to a few I/O ranks (rearranged). The peers write cdf5 only,
so ours in HDF5 is compared with the same rows. Time is from before create or open to after close; what is computed once
from the map, for all files of a run, is told beside it."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable

from harness import maps, scattered_files, timed
from harness.cases import Case
from harness.session import Session
from harness.sides import SCATTERED, SCATTERED_EACH, Side, peers_of

_PEERS = ("pnetcdf_varn", "pnetcdf_rearranged")
_TEXT = "map.txt"


def steps_of(session: Session) -> int:
    return len(cases_of(session)) * 2 * session.repeat * 12  # an upper bound


def run(session: Session) -> None:
    run_cases(session, "w6", run_job)


def run_job(session: Session, job: maps.Job) -> None:
    compare(session, job, Comparison, Case("w6", job.ranks, _PEERS, label=job.name, ours=SCATTERED))


def run_cases(session: Session, workload: str, run_one: Callable[[Session, maps.Job], None]) -> None:
    for case in cases_of(session):
        job = maps.read(case)
        if job is None:
            session.not_run.append(f"{workload} {case}: {maps.MISSING}")
        else:
            run_one(session, job)


def compare(session: Session, job: maps.Job, comparison: type[Comparison], case: Case) -> None:
    text = session.path(_TEXT)
    maps.write_text(job, text)
    with_map = dataclasses.replace(case, sizes=("--input", str(text)))
    for direction in timed.DIRECTIONS:
        comparison(session, with_map, direction, job).run()
    session.remove(_TEXT)


def cases_of(session: Session) -> list[str]:
    return [case for case in maps.CASES if session.only in case]


class Comparison(timed.Comparison):
    def __init__(self, session: Session, case: Case, direction: str, job: maps.Job):
        super().__init__(session, case, direction)
        self.job = job

    def sides(self) -> list[Side]:
        wanted = [*self.case.ours, *(side for name in self.case.libraries for side in peers_of(self.session.build, name))]
        missing = sorted({side.program for side in wanted if not self.session.build.program(side.program)})
        if self.direction == "write":
            self.session.not_run += [f"{self.case.workload} {self.case.label}: {name} was not built" for name in missing]
        return [side for side in wanted if side.program not in missing]

    def with_input(self, wanted: list[Side]) -> list[Side]:
        for file_format in dict.fromkeys(side.format for side in wanted):
            scattered_files.make(self.file_of(file_format), file_format, self.job)
        return wanted

    def check_written(self, side: Side) -> None:
        scattered_files.check(self.file_of(side.format), side.format, self.job)
        self.verified[side] = True

    def needs_no_repetition(self, side: Side) -> bool:
        """In a quick table calls for single variables are there for their counts."""
        return super().needs_no_repetition(side) or (self.session.quick and side in SCATTERED_EACH)

    def complete(self, found: list[dict]) -> None:
        """How many times as fast as the best setting of either way, and what an I/O rank of ours counted."""
        super().complete(found)
        best = {family: min((row["median_s"] for row in found if row["peer"] and row["family"] == family), default=None)
                for family in ("pnetcdf", "pnetcdf rearranged")}
        for side, row in ((side, row) for side in self.lines for row in found if row["side"] == side.name):
            row["decompose_s"] = row["phases_s"].get("decompose")
            if side.ours:
                lines = self.lines[side]
                row |= {"ratio_varn": _ratio(best["pnetcdf"], row), "io_rank": lines[-1]["io_rank"],
                        "ratio_rearranged": _ratio(best["pnetcdf rearranged"], row),
                        "io_rank_moving": lines[-1]["io_rank_moving"], "variables": lines[-1]["variables"]}
                # Who sleeps depends on who comes first: the median of all runs.
                row["io_rank"]["waits"] = statistics.median(line["io_rank"]["waits"] for line in lines)


def _ratio(peer_s: float | None, row: dict) -> float | None:
    return peer_s / row["median_s"] if peer_s is not None else None
