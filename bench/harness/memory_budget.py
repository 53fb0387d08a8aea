"""memory: 1 GiB through a staging budget of 16 MiB per I/O rank, by its own count and as the kernel sees it.

The file and its pages are made beforehand outside of the memory group that is measured, and every rank puts all
variables from one 1 MiB buffer: what the job adds to an equal job of 1 MiB is then the library's memory."""

from __future__ import annotations

import re
import statistics

from harness import rows, sides
from harness.launch import RunFailed, testbed_script
from harness.session import Session

RANKS = 16
BUDGET_BYTES = 16 << 20
MIB = 1 << 20
_LARGE = (1 << 21, 64)  # elements and variables: 1 GiB, 1 MiB per rank and variable
_SMALL = (1 << 17, 1)   # 1 MiB


def steps_of(session: Session) -> int:
    return 2 * (1 + 2 * session.repeat) + 1


def run(session: Session) -> None:
    wrapper = testbed_script("cgrun")
    if wrapper is None:
        session.not_run.append("memory: the test bed ../shared/testbed is missing")
        return
    for name, (elements, variables) in (("large", _LARGE), ("small", _SMALL)):
        _make_file(session.path(f"memory.{name}.h5"), elements, variables)
    try:
        for direction in ("write", "read"):
            session.rows.append(_measure(session, direction, str(wrapper)))
    except RunFailed as error:
        session.failures.append(f"memory: {error}")
    session.remove("memory")


def _make_file(path, elements: int, variables: int) -> None:
    import h5py
    import numpy

    with h5py.File(path, "w") as file:
        for v in range(variables):
            file.create_dataset(f"v{v}", data=numpy.zeros(elements))


def _measure(session: Session, direction: str, cgrun: str) -> dict:
    _start(session, direction, _SMALL, "small", cgrun)  # programs and libraries into the page cache
    small, large, lines = [], [], []
    for _ in range(session.repeat):
        small.append(_start(session, direction, _SMALL, "small", cgrun)[0])
        peak, line = _start(session, direction, _LARGE, "large", cgrun)
        large.append(peak)
        lines.append(line)
    verified = lines[-1].get("verified") if direction == "read" else _verify(session)
    row = rows.plain_row("ours", lines, session.io_ranks, verified) | rows.counter_members(lines[-1])
    peaks = {"small_job_bytes": statistics.median(small), "large_job_bytes": statistics.median(large)}
    extra = statistics.median(b - a for a, b in zip(small, large))
    allowed = session.io_ranks * BUDGET_BYTES * 1.05 + 2 * MIB * RANKS
    return row | peaks | {"budget_bytes": BUDGET_BYTES, "ratio_budget": row["peak_staging_bytes"] / BUDGET_BYTES,
                          "extra_job_bytes": extra, "allowed_job_bytes": int(allowed), "ratio_allowed": extra / allowed}


def _verify(session: Session) -> bool | None:
    """What was written, read by parallel HDF5; None: it was not built."""
    reader = sides.reader_of(session.build, "h5")
    if not session.build.program(reader.program):
        return None
    session.step("memory: elements")
    arguments = [*_sizes(_LARGE), "--direction", "read", "--verify", *reader.arguments,
                 "--file", str(session.path("memory.large.h5"))]
    return session.build.run(reader.program, RANKS, arguments, mca=dict(reader.mca)).line["verified"]


def _sizes(size: tuple[int, int]) -> list[str]:
    return ["--workload", "memory", "--extent", str(size[0]), "--variables", str(size[1])]


def _start(session: Session, direction: str, size: tuple[int, int], name: str, cgrun: str) -> tuple[int, dict]:
    """Peak memory of the whole job in bytes, and what it printed."""
    session.step(f"memory {direction}: {name}")
    arguments = [*_sizes(size), "--direction", direction, "--io-ranks", str(session.io_ranks), "--reuse-buffer",
                 "--verify", "--option", f"staging_bytes={BUDGET_BYTES}",
                 "--file", str(session.path(f"memory.{name}.h5"))]
    if direction == "write":
        arguments.append("--overwrite")
    launched = session.build.run("ours", RANKS, arguments, wrapper=[cgrun, "-t", "250"])
    said = re.search(r"peak (\d+) MiB", launched.stderr)
    if said is None:
        raise RunFailed(f"cgrun did not say how much memory was used:\n{launched.stderr}")
    return int(said.group(1)) * MIB, launched.line
