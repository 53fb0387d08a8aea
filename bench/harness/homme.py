"""w5: a spectral element model on a cubed sphere (HOMME), with the columns of the ne30 grid on 16 ranks: variables of
columns, and one of 72 levels of them. Four runs, each of 20 steps with a checkpoint after every five: the first begins without
one, and each of the others by reading the last checkpoint of the run before. The model itself takes no time. Ours beside PnetCDF:
a loop of independent calls, one for each run of elements, which is what such models did first; all runs of a rank
in one collective call (iput_varn); and after one MPI_Alltoallv to the I/O ranks (rearranged). The time is from before
create or open to after close of all files; what is computed once from the map is told beside it."""

from __future__ import annotations

import dataclasses
import pathlib

from harness import maps, scattered, scattered_files, sides
from harness.cases import Case
from harness.launch import RunFailed
from harness.session import Session
from harness.sides import Side

NAME = "w5"
LABEL = "ne30"
RUNS = 4
_STEPS, _EVERY = 20, 5
_PEERS = ("pnetcdf_loop", "pnetcdf_varn", "pnetcdf_rearranged")
_LOOP, _REARRANGED = "pnetcdf loop", "pnetcdf rearranged"
_CHECKPOINTS = RUNS * _STEPS // _EVERY
_TRIAL_STEPS = _EVERY  # one checkpoint


def steps_of(session: Session) -> int:
    return session.repeat * 16 * RUNS  # an upper bound


def run(session: Session) -> None:
    if session.only not in LABEL:
        return
    job = maps.read_columns()
    if job is None:
        session.not_run.append(f"{NAME} {LABEL}: {maps.MISSING_COLUMNS}")
    else:
        run_job(session, job)


def run_job(session: Session, job: maps.Job) -> None:
    text = session.path("map.txt")
    maps.write_text(job, text)
    libraries = _PEERS if not session.quick else (_PEERS[0], _PEERS[2])
    case = Case(NAME, job.ranks, libraries, ("--input", str(text)), job.name, sides.SCATTERED[:1] if session.quick else
                sides.SCATTERED[::2])
    Comparison(session, case, "write", job).run()
    session.remove(text.name)


class Comparison(scattered.Comparison):
    """Each side runs four times in a row, which together are one of its repetitions."""

    def _start(self, side: Side, direction: str, extra: tuple[str, ...], timeout_s: float = 600) -> dict:
        lines = [self._one_run(side, number, (*extra, "--verify"), _STEPS, timeout_s) for number in range(RUNS)]
        return joined(lines)

    def trial(self, side: Side, timeout_s: float) -> float | None:
        try:
            return self._one_run(side, 0, (), _TRIAL_STEPS, timeout_s)["time_s"]
        except RunFailed:
            return None
        finally:
            self.session.remove(self.file_of(side.format).name)

    def _one_run(self, side: Side, number: int, extra: tuple[str, ...], steps: int, timeout_s: float) -> dict:
        restart = () if number == 0 else ("--restart", f"{self._file_of_run(side, number - 1)}.{_STEPS}")
        schedule = ("--steps", str(steps), "--every", str(_EVERY), *restart, *extra)
        with_file = dataclasses.replace(side, format=f"{side.format}.{number}")
        line = super()._start(with_file, "write", schedule, timeout_s)
        if number > 0:
            self.session.remove(self._file_of_run(side, number - 1).name)
        return line

    def _file_of_run(self, side: Side, number: int) -> pathlib.Path:
        return self.file_of(f"{side.format}.{number}")

    def check_written(self, side: Side) -> None:
        """The last checkpoint: its values have gone through all four runs."""
        path = self._file_of_run(side, RUNS - 1)
        scattered_files.check(path.with_name(f"{path.name}.{_STEPS}"), side.format, self.job)
        self.verified[side] = True

    def complete(self, found: list[dict]) -> None:
        super().complete(found)
        best = {family: min((row["median_s"] for row in found if row["family"] == family), default=None)
                for family in (_LOOP, _REARRANGED)}
        for side, row in ((side, row) for side in self.lines for row in found if row["side"] == side.name):
            row["calls"] = self.lines[side][-1].get("calls")
            if side.ours:
                row["ratio_loop"] = best[_LOOP] / row["median_s"] if best[_LOOP] is not None else None
                written = row["bytes"] * _CHECKPOINTS / (_CHECKPOINTS + RUNS - 1)  # the others are read
                row["amplification"] *= row["bytes"] / written


def joined(lines: list[dict]) -> dict:
    """The line of all runs: times, bytes and counts are sums, peaks are the largest."""
    whole = dict(lines[-1])
    whole["phases_s"] = {name: sum(line["phases_s"].get(name, 0) for line in lines) for name in whole["phases_s"]}
    for name in ("time_s", "bytes", "calls"):
        if name in whole:
            whole[name] = sum(line[name] for line in lines)
    for name in ("io_rank", "io_rank_moving"):
        if name in whole:
            whole[name] = {key: sum(line[name][key] for line in lines) for key in whole[name]}
    if "counters" in whole:
        whole["counters"] = {key: {"sum": sum(line["counters"][key]["sum"] for line in lines),
                                   "max": max(line["counters"][key]["max"] for line in lines)}
                             for key in whole["counters"]}
    return whole
