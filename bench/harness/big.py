"""big: more than 2^31 elements. Written by ours on 4 ranks, checked element by element by h5py, read back by ours."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

from harness import rows
from harness.launch import RunFailed
from harness.session import Session

RANKS = 4
_WORKLOADS = ("big", "sparse")
_SLAB_ELEMENTS = 30_000_001  # uneven on purpose: no slab begins where a block or a rank's part does
_SPARSE_WINDOW = 1_000_000   # as in bench/common/workload.cpp


def steps_of(session: Session) -> int:
    return 3 * len(_WORKLOADS)


def run(session: Session) -> None:
    for workload in _WORKLOADS:
        try:
            _write_and_read(session, workload)
        except RunFailed as error:
            session.failures.append(f"{workload}: {error}")
        session.remove(f"{workload}.h5")


def _write_and_read(session: Session, workload: str) -> None:
    path = session.path(f"{workload}.h5")
    for direction in ("write", "read"):
        session.step(f"{workload} {direction}: ours")
        arguments = ["--workload", workload, "--direction", direction, "--io-ranks", str(session.io_ranks),
                     "--file", str(path), "--verify"]
        line = session.build.run("ours", RANKS, arguments).line
        verified = line.get("verified")
        if direction == "write":
            session.step(f"{workload}: h5py")
            verified = _read_by_h5py(path, workload)
        row = rows.plain_row("ours", [line], session.io_ranks, verified) | rows.counter_members(line)
        row["file_blocks_bytes"] = path.stat().st_blocks * 512
        session.rows.append(row)


def _read_by_h5py(path: pathlib.Path, workload: str) -> bool:
    """In a process of its own: a reader that has seen nothing of ours."""
    command = [sys.executable, str(pathlib.Path(__file__).with_name("big_reader.py")), str(path), workload,
               str(_SLAB_ELEMENTS), str(_SPARSE_WINDOW)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if ended.returncode != 0:
        raise RunFailed(f"h5py cannot read {path}:\n{ended.stderr.strip()[-800:]}")
    found = json.loads(ended.stdout)
    if found["wrong"]:
        raise RunFailed(f"h5py found {found['wrong']} wrong elements of {found['elements']} in {path}")
    return True
