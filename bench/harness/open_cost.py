"""open64: 64 ranks open a file behind one metadata server of 5 ms per open, beside parallel HDF5."""

from __future__ import annotations

import statistics

from harness import rows, sides
from harness.launch import RunFailed, slow_opens
from harness.session import Session

RANKS = 64
COST_S = 0.005
_SIZES = ("--workload", "w1", "--extent", str(1 << 20))


def steps_of(session: Session) -> int:
    return 4 * session.repeat


def run(session: Session) -> None:
    wrapper = slow_opens(f"{session.scratch}/*", f"{COST_S * 1000:g}ms")
    if wrapper is None:
        session.not_run.append("open64: the test bed ../shared/testbed is missing")
        return
    peer = sides.reader_of(session.build, "h5")
    taking_part = [side for side in (sides.OURS, peer) if session.build.program(side.program)]
    for direction in ("write", "read"):
        lines: dict[sides.Side, list[dict]] = {}
        for repetition in range(session.repeat):
            for side in taking_part if repetition % 2 == 0 else taking_part[::-1]:
                try:
                    lines.setdefault(side, []).append(_start(session, side, direction, wrapper))
                except RunFailed as error:
                    session.failed(side, f"open64, {error}")
        session.rows.extend(_rows(session, lines, direction))
    session.remove("open64")


def _start(session: Session, side: sides.Side, direction: str, wrapper: list[str]) -> dict:
    name = f"open64.{side.program}.h5"
    if direction == "write":
        session.remove(name)
    session.step(f"open64 {direction}: {side.name}")
    arguments = [*_SIZES, "--direction", direction, "--io-ranks", str(session.io_ranks),
                 "--file", str(session.path(name)), *side.arguments, "--verify"]
    return session.build.run(side.program, RANKS, arguments, mca=dict(side.mca), wrapper=wrapper).line


def _rows(session: Session, lines: dict[sides.Side, list[dict]], direction: str) -> list[dict]:
    found = []
    for side, printed in lines.items():
        row = rows.plain_row(side.name, printed, session.io_ranks, printed[-1].get("verified"))
        row |= {"workload": "open64", "direction": direction, "peer": side != sides.OURS,
                "open_s": row["phases_s"]["open"], "allowed_s": (session.io_ranks + 1) * COST_S}
        if side == sides.OURS:
            row["open_s"] = statistics.median(rows.open_with_deferred_s(line, COST_S) for line in printed)
            row["ratio_allowed"] = row["open_s"] / row["allowed_s"]
            row |= rows.counter_members(printed[-1])
        found.append(row)
    rows.add_ratios(found)
    return found
