"""climate: a model that writes history at each step and restart files now and then, on the maps of w6, to a store that
takes so many bytes a second from each I/O rank that synchronous output takes 0.8 of the model's time. Without output,
with synchronous and with asynchronous output; *output time* is the time of a run with its end, less that of the run
without output. One case has a store that stops for some seconds: of it the memory is measured. Two cases have no
model: they show what a worker costs where nothing is computed meanwhile, on tmpfs and on a store that takes as long
as the puts."""

from __future__ import annotations

import dataclasses
import filecmp
import math
import os
import pathlib
import shutil
import statistics

from harness import maps
from harness.launch import Launched, RunFailed
from harness.session import Session

_STORE_SHARE = 0.8  # of the model's time, that the store needs for all that is written
_PER_CALL_S = 5e-6
_PER_VARIABLE_S = 2e-6
_PLACING = 1.3
_DEFLATE = "*=shuffle+deflate:1"
_ZFP = "*=zfp-accuracy:0.001"
_ASYNCHRONOUS = ("asynchronous=true", "close=post", "async_files=8")
_WORKERS = ("asynchronous=true",)


@dataclasses.dataclass(frozen=True)
class Schedule:
    """Of the time loop."""

    steps: int
    step_s: float
    every: int          # steps from one restart to the next
    last: bool = False  # a restart also at the last step

    @property
    def model_s(self) -> float:
        return self.steps * self.step_s

    @property
    def restarts(self) -> int:
        return self.steps // self.every - (0 if self.last or self.steps % self.every else 1)


@dataclasses.dataclass(frozen=True)
class Case:
    label: str
    schedule: Schedule
    file_format: str = "cdf5"
    model: str = "idle"
    staging: float = 1.0   # times one restart and one history step of all files
    io_ranks: int = 0      # 0: those of the session
    quick: bool = True
    fixed: bool = False    # time is a dimension of a fixed length, so that the variables of HDF5 files are contiguous
    filters: str = ""      # the option of that name
    store: str = "of the model"  # its rate: that, "of tmpfs", or "of puts", at which it takes as long as a run on tmpfs
    stop_s: float = 0      # in which it takes nothing, once

    @property
    def asynchronous(self) -> tuple[str, ...]:
        return _ASYNCHRONOUS if self.store == "of the model" else _WORKERS


_LOOP = Schedule(64, 0.5, 16)
_QUICK_LOOP = Schedule(16, 0.25, 4)
_NO_MODEL = Schedule(16, 0.0, 4)
_ARTICLE = Schedule(4, 2.0, 1, last=True)
_QUICK_ARTICLE = Schedule(4, 1.0, 1, last=True)
# Of the variables of a map one of so many: the files, which share the staging memory evenly, are of about one size.
_FEWER = {"F": 2, "G": 1, "I": 10}
_QUICK_FEWER = {"F": 4, "G": 2, "I": 24}
_LEAST_STAGING_BYTES = 1 << 20


def cases_of(session: Session) -> list[Case]:
    loop, article = (_QUICK_LOOP, _QUICK_ARTICLE) if session.quick else (_LOOP, _ARTICLE)
    found = [Case("cdf5 idle", loop), Case("hdf5 idle", loop, "hdf5"), Case("hdf5 idle fixed", loop, "hdf5", fixed=True),
             Case("netcdf4 idle deflate", loop, "netcdf4", filters=_DEFLATE),
             Case("netcdf4 idle zfp", loop, "netcdf4", filters=_ZFP),
             Case("netcdf4 busy deflate", loop, "netcdf4", model="busy", filters=_DEFLATE),
             Case("netcdf4 busy zfp", loop, "netcdf4", model="busy", filters=_ZFP, quick=False),
             Case("cdf5 idle three times", loop, staging=3.0),
             Case("cdf5 idle quarter", loop, staging=0.25),
             Case("hdf5 idle quarter", loop, "hdf5", staging=0.25, quick=False), Case("cdf5 busy", loop, model="busy"),
             Case("hdf5 busy", loop, "hdf5", model="busy", quick=False), Case("cdf5 article", article),
             Case("cdf5 idle 8 of 16", loop, io_ranks=8, quick=False),
             Case("cdf5 idle, the store stops", loop, stop_s=2.0 if session.quick else 5.0),
             Case("cdf5 workers, tmpfs", _NO_MODEL, store="of tmpfs"),
             Case("cdf5 workers, slow store", _NO_MODEL, store="of puts")]
    return [case for case in found if session.only in case.label and (case.quick or not session.quick)]


def steps_of(session: Session) -> int:
    cases = cases_of(session)
    return len(cases) * 3 * session.repeat + sum(1 for case in cases if case.filters or case.store == "of puts")


def run(session: Session) -> None:
    fewer = _QUICK_FEWER if session.quick else _FEWER
    jobs = [job for job in map(maps.read, maps.CASES) if job is not None]
    if len(jobs) < len(maps.CASES):
        session.not_run.append(f"climate: {maps.MISSING}")
        return
    for job in jobs:
        for division in job.divisions:
            division.variables = max(1, division.variables // fewer[job.name])
    for case in cases_of(session):
        try:
            Comparison(session, case, jobs).run()
        except RunFailed as error:
            session.failures.append(f"climate {case.label}: {error}")


def bytes_of(job: maps.Job) -> int:
    """Of one step, or of one restart."""
    width = int(job.element_type[-2:]) // 8
    return sum(division.variables * math.prod(division.dims) for division in job.divisions) * width


class Comparison:
    def __init__(self, session: Session, case: Case, jobs: list[maps.Job]):
        self.session = session
        self.case = case
        self.jobs = jobs
        self.io_ranks = case.io_ranks or session.io_ranks
        self.step_bytes = sum(map(bytes_of, jobs))
        self.all_bytes = self.step_bytes * (case.schedule.steps + case.schedule.restarts)
        self.rate = 0.0  # of the store, for each I/O rank: it takes all bytes at once
        share = 2 * self.step_bytes // self.io_ranks
        self.staging_bytes = max(_LEAST_STAGING_BYTES, int(share * case.staging))
        self.work = 0
        self.lines: dict[str, list[dict]] = {}

    def run(self) -> None:
        texts = [self._text_of(number, job) for number, job in enumerate(self.jobs)]
        self.inputs = ",".join(map(str, texts))
        if self.case.filters:
            self.all_bytes = self._encoded_bytes()
        self.rate = self._rate()
        for _ in range(self.session.repeat):
            for mode in ("none", "synchronous", "asynchronous"):
                self.lines.setdefault(mode, []).append(self._start(mode).line)
            same = self._same_files()
        for text in texts:
            os.unlink(text)
        self.session.rows += self._rows(same)

    def _rate(self) -> float:
        """Bytes a second that the store takes from each I/O rank; 0: as many as it can."""
        if self.case.store == "of the model":
            return self.all_bytes / (self.io_ranks * _STORE_SHARE * self.case.schedule.model_s)
        return 0 if self.case.store == "of tmpfs" else self.all_bytes / (self.io_ranks * self._start("synchronous").line["time_s"])

    def _store_s(self, written: float) -> float:
        """What the store needs for so many bytes of an I/O rank."""
        return written / self.rate if self.rate else 0.0

    def _text_of(self, number: int, job: maps.Job) -> pathlib.Path:
        path = self.session.path(f"climate.{number}.txt")
        maps.write_text(job, path)
        return path

    def _encoded_bytes(self) -> int:
        self._start("synchronous")
        return sum(path.stat().st_size for path in self.folder("synchronous").iterdir())

    def folder(self, mode: str) -> pathlib.Path:
        return self.session.path(f"climate.{mode}")

    def _start(self, mode: str) -> Launched:
        case, schedule, session = self.case, self.case.schedule, self.session
        session.step(f"climate {case.label}: {mode}")
        folder = self.folder(mode)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        options = [f"staging_bytes={self.staging_bytes}", f"staging_files={2 * len(self.jobs)}"]
        if case.filters:
            options.append(f"filters={case.filters}")
        if mode == "asynchronous":
            options += case.asynchronous
        arguments = ["--workload", "climate", "--input", self.inputs, "--file", str(folder), "--mode", case.model,
                     "--form", "none" if mode == "none" else case.file_format, "--steps", str(schedule.steps),
                     "--step-s", str(schedule.step_s), "--every", str(schedule.every), "--work", str(self.work),
                     "--io-ranks", str(self.io_ranks), *(["--last"] if schedule.last else []),
                     *(["--fixed"] if case.fixed else []), *(["--watch-memory"] if case.stop_s else []),
                     *(part for option in options for part in ("--option", option))]
        environment = session.build.slow_writes(self.rate)
        if case.stop_s:
            environment |= {"BENCH_STOP_S": str(case.stop_s), "BENCH_STOP_AFTER_S": str(schedule.model_s / 4)}
        launched = session.build.run("climate", self.jobs[0].ranks, arguments, environment=environment, timeout_s=600)
        self.work = launched.line["work"]
        return launched

    def _same_files(self) -> bool:
        """Byte for byte, or where a format does not promise that, by value."""
        one, other = self.folder("synchronous"), self.folder("asynchronous")
        names = sorted(path.name for path in one.iterdir())
        same = names == sorted(path.name for path in other.iterdir()) and bool(names)
        same = same and all(filecmp.cmp(one / name, other / name, shallow=False) or _equal_values(one / name, other / name)
                            for name in names)
        for folder in (one, other, self.folder("none")):
            shutil.rmtree(folder, ignore_errors=True)
        return same

    def _rows(self, same: bool) -> list[dict]:
        none_s = statistics.median(line["time_s"] for line in self.lines["none"])
        found = [self._row(mode, lines, none_s) for mode, lines in self.lines.items()]
        by_mode = {row["mode"]: row for row in found}
        synchronous, asynchronous = by_mode["synchronous"], by_mode["asynchronous"]
        asynchronous["verified"] = same
        asynchronous["ratio_output"] = asynchronous["output_s"] / synchronous["output_s"]
        for ratio, seconds in (("ratio_cpu", "cpu_s"), ("ratio_writing_cpu", "writing_cpu_s")):
            none = by_mode["none"][seconds]
            asynchronous[ratio] = (asynchronous[seconds] - none) / (synchronous[seconds] - none)
        # The larger of what the model and what the store need.
        bound_s = max(none_s, self._store_s(self.all_bytes / self.io_ranks))
        asynchronous["ratio_whole"] = asynchronous["median_s"] / bound_s
        if self.case.stop_s:
            added = asynchronous["memory_bytes"] - by_mode["none"]["memory_bytes"]
            asynchronous["ratio_memory"] = added / (self.io_ranks * self.staging_bytes)
        return found

    def _row(self, mode: str, lines: list[dict], none_s: float) -> dict:
        def median(of) -> float:
            return statistics.median(of(line) for line in lines)

        def phase(name: str) -> float:
            return median(lambda line: line["phases_s"][name])

        last = lines[-1]
        row = {"workload": "climate", "case": self.case.label, "ranks": last["ranks"], "io_ranks": self.io_ranks,
               "direction": "write", "side": f"ours, {mode}" if mode != "none" else "no output", "mode": mode,
               "bytes": self.all_bytes, "median_s": median(lambda line: line["time_s"]),
               "times_s": [line["time_s"] for line in lines], "verified": None, "peer": False, "ours": True,
               "phases_s": {name: phase(name) for name in last["phases_s"]}, "cpu_s": phase("cpu"),
               # Without the steps of the model, in which MPI waits actively for ranks that come later.
               "writing_cpu_s": median(lambda line: line["phases_s"]["cpu"] - line["phases_s"]["model cpu"]),
               "switches": median(lambda line: line["switches"]), "memory_bytes": median(lambda line: line["memory"])}
        if mode == "none":
            return row
        end_s = phase("end")
        placing_s = (self.case.schedule.steps - 1) * phase("placing")
        calls, variables = last["calls"], last["variables"]
        allowed_put_s = _PLACING * placing_s + _PER_CALL_S * calls + _PER_VARIABLE_S * (variables - calls)
        queued_s = self._store_s(last["queued"])
        return row | {"run_s": phase("loop"), "end_s": end_s, "output_s": row["median_s"] - none_s,
                      "put_s": phase("put"), "placing_s": placing_s, "define_s": phase("define"),
                      "close_s": phase("close"), "ratio_put": phase("put") / allowed_put_s,
                      # Without what the slowest rank waited, also for a core that other ranks used.
                      "ratio_put_cpu": phase("put thread") / allowed_put_s,
                      "queued_s": queued_s, "ratio_end": end_s / (1.1 * queued_s + 0.1)}


def _equal_values(one: pathlib.Path, other: pathlib.Path) -> bool:
    import h5py
    import hdf5plugin  # noqa: F401  HDF5 decodes zfp by it
    import numpy

    if not h5py.is_hdf5(one) or not h5py.is_hdf5(other):
        return False
    with h5py.File(one) as first, h5py.File(other) as second:
        return list(first) == list(second) and all(
            numpy.array_equal(first[name][()], second[name][()]) for name in first if isinstance(first[name], h5py.Dataset))
