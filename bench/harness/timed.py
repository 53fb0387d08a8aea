"""The timed comparisons: all sides alternating in one invocation, medians, every row kept."""

from __future__ import annotations

import pathlib
import shutil
import subprocess

from harness import quick, rows, sides
from harness.cases import CASES, Case
from harness.launch import RunFailed
from harness.session import Session
from harness.sides import Side

DIRECTIONS = ("write", "read")
_INPUTS = 5  # files made for reading, one per format


def steps_of(session: Session, workload: str) -> int:
    """An upper bound of the number of runs."""
    return sum(len(_sides_of(session, case, report=False)) * (2 * session.repeat + 1) + _INPUTS
               for case in _cases_of(session, workload))


def run(session: Session, workload: str) -> None:
    for case in _cases_of(session, workload):
        for direction in DIRECTIONS:
            Comparison(session, case, direction).run()


def _cases_of(session: Session, workload: str) -> list[Case]:
    return [case for case in CASES[workload] if session.only in case.label and (case.quick or not session.quick)]


class Comparison:
    """One workload, rank count and direction. sides(), with_input(), environment_of(), check_written(),
    complete() and needs_no_repetition() are to be changed for workloads whose files are of another kind."""

    def __init__(self, session: Session, case: Case, direction: str):
        self.session = session
        self.case = case
        self.direction = direction
        self.lines: dict[Side, list[dict]] = {}
        self.verified: dict[Side, bool] = {}

    def run(self) -> None:
        taking_part = self.sides()
        if self.direction == "read":
            taking_part = self.with_input(taking_part)
        if self.session.quick:
            taking_part = quick.without_slower_settings(self, taking_part)
        in_turn = taking_part
        for repetition in range(self.session.repeat):
            turn = repetition % max(1, len(in_turn))
            for side in in_turn[turn:] + in_turn[:turn]:
                self._attempt(side, check=repetition == 0)
            in_turn = [side for side in in_turn if side in self.lines and not self.needs_no_repetition(side)]
        for side in taking_part:
            self.session.remove(_file_of(side.format))
        self._add_rows([side for side in taking_part if side in self.lines])

    def needs_no_repetition(self, side: Side) -> bool:
        """Its first run says that it cannot be the best peer; it keeps the row of that run."""
        if self.session.repeat_hopeless or not side.peer:
            return False
        best = min(lines[0]["time_s"] for other, lines in self.lines.items() if other.peer)
        return self.lines[side][0]["time_s"] > self.case.hopeless * best

    def sides(self) -> list[Side]:
        return _sides_of(self.session, self.case, report=self.direction == "write")

    def file_of(self, file_format: str) -> pathlib.Path:
        return self.session.path(_file_of(file_format))

    def with_input(self, wanted: list[Side]) -> list[Side]:
        """Writes one file per format, by a program that is not ours; the sides that have one to read."""
        ready = {"none"}
        for file_format in dict.fromkeys(side.format for side in wanted):
            if file_format == "none":
                continue
            writer = sides.RAW if file_format == "raw" else sides.reader_of(self.session.build, file_format)
            if not self.session.build.program(writer.program):
                continue
            try:
                self._start(writer, "write", extra=() if file_format == "raw" else ("--tuned",))
                ready.add(file_format)
            except RunFailed as error:
                self.session.failures.append(f"making the {file_format} file for reading: {error}")
        return [side for side in wanted if side.format in ready]

    def trial(self, side: Side, timeout_s: float) -> float | None:
        """Seconds of one run, which is not counted; None: not ended in time, or failed."""
        if self.direction == "write":
            self.session.remove(_file_of(side.format))
        try:
            return self._start(side, self.direction, extra=(), timeout_s=timeout_s)["time_s"]
        except RunFailed:
            return None
        finally:
            if self.direction == "write":
                self.session.remove(_file_of(side.format))

    def _attempt(self, side: Side, check: bool) -> None:
        writing = self.direction == "write"
        if writing:
            self.session.remove(_file_of(side.format))
        try:
            line = self._start(side, self.direction, extra=() if writing else ("--verify",))
            self.lines.setdefault(side, []).append(line)
            if check and not (self.session.quick and side.peer):
                self._check(side, line)
        except RunFailed as error:
            self.lines.pop(side, None)
            self.session.failed(side, str(error))
        if writing:
            self.session.remove(_file_of(side.format))

    def _check(self, side: Side, line: dict) -> None:
        if self.direction == "read":
            if "verified" in line:
                self.verified[side] = line["verified"]
        else:
            self.check_written(side)

    def check_written(self, side: Side) -> None:
        if sides.can_be_checked(side.format):
            reader = sides.reader_of(self.session.build, side.format)
            if self.session.build.program(reader.program):
                self.verified[side] = self._start(reader, "read", extra=("--verify",))["verified"]
            if side.ours and side.format == "cdf":
                _validate(str(self.file_of(side.format)))

    def _start(self, side: Side, direction: str, extra: tuple[str, ...], timeout_s: float = 300) -> dict:
        case, session = self.case, self.session
        session.step(f"{case.workload} {case.label} {case.ranks} ranks {direction}: {side.name}")
        ranks = side.processes or (session.io_ranks if side.io_ranks_only else case.ranks)
        arguments = ["--workload", case.workload, *case.sizes, "--direction", direction, "--io-ranks",
                     str(session.io_ranks), "--file", str(self.file_of(side.format)), *side.arguments, *extra]
        if side.io_ranks_only or side.processes:
            arguments += ["--job-ranks", str(case.ranks)]
        return session.build.run(side.program, ranks, arguments, mca=dict(side.mca),
                                 environment=self.environment_of(side), timeout_s=timeout_s).line

    def environment_of(self, side: Side) -> dict[str, str]:
        return dict(side.environment)

    def _add_rows(self, taking_part: list[Side]) -> None:
        found = []
        for side in taking_part:
            row = rows.plain_row(side.name, self.lines[side], self.session.io_ranks, self.verified.get(side))
            row["ranks"] = self.case.ranks
            row["peer"] = side.peer
            row |= {"case": self.case.label, "family": side.family, "role": side.role, "ours": side.ours}
            if side.ours:
                row.update(rows.counter_members(self.lines[side][-1]))
            found.append(row)
        self.complete(found)
        self.session.rows.extend(found)

    def complete(self, found: list[dict]) -> None:
        """What the rows of all sides say of each other."""
        rows.add_ratios(found)
        rows.add_combining(found)


def _validate(path: str) -> None:
    """PnetCDF's judgement of a file of ours, where its tool is installed."""
    tool = shutil.which("ncvalidator")
    if tool is None:
        return
    ended = subprocess.run([tool, path], capture_output=True, text=True, timeout=120, check=False)
    if ended.returncode != 0:
        raise RunFailed(f"ncvalidator refuses {path}:\n{(ended.stdout + ended.stderr).strip()[-400:]}")


def _file_of(file_format: str) -> str:
    return f"timed.{file_format}"


def _sides_of(session: Session, case: Case, report: bool) -> list[Side]:
    if session.quick:
        wanted = [*case.ours[:quick.OUR_SIDES], sides.RAW]
    else:
        wanted = [*case.ours, sides.RAW, sides.PLACING]
        if case.ours[0].program == "ours_pattern":
            wanted.append(sides.BY_HAND)
    for library in case.libraries:
        wanted += sides.peers_of(session.build, library)
    missing = sorted({side.program for side in wanted if not session.build.program(side.program)})
    if report:
        session.not_run += [f"{case.workload} {case.ranks} ranks: {name} was not built" for name in missing]
    return [side for side in wanted if side.program not in missing]
