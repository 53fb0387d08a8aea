#!/usr/bin/env python3
"""The benchmarks: ours beside raw writes and beside every configuration of every peer.

Writes one JSON file per workload, prints a table, and says of each target whether it is reached. Exit code 1 only
when a side failed or an element was wrong."""

from __future__ import annotations

import argparse
import os
import pathlib
import signal
import sys
import tempfile
from collections.abc import Callable

from harness import big, climate, homme, memory_budget, netcdf4, nodes, open_cost, pio, rows, scattered, targets, timed
from harness.cases import CASES
from harness.display import number, progress, show_table
from harness.launch import ROOT, Build, RunFailed
from harness.session import Session

WORKLOADS = ("w1", "w2d", "w2", "w2v", "w3", "w4", "w5", "w6", "w7", "w8", "pio", "climate", "netcdf4", "nodes", "open64", "memory",
             "big")
_OF_IO_RANK = {"agreements": "agreements", "waits": "waits", "messages": "messages", "own writes": "writes",
               "own reads": "reads"}
_QUIET_LOAD = 0.5
_LONG_TABLE = 130  # rows
_REPEAT = 5
_REPEAT_QUICK = 3


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that files and ranks are cleared away
    arguments = parse_arguments()
    try:
        build = Build(arguments.build_dir)
    except RunFailed as error:
        print(error, file=sys.stderr)
        return 1
    say_conditions(build)
    failed = False
    for workload in arguments.workload or WORKLOADS:
        session = run_workload(workload, build, arguments)
        path = rows.write_json(arguments.output, workload, session.rows)
        report(workload, session, path)
        wrong = any(row["verified"] is False and not row.get("peer") for row in session.rows)
        failed = failed or bool(session.failures) or wrong
    return 1 if failed else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build" / "openmpi-release")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "bench",
                        help="folder of the JSON files")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/dev/shm"),
                        help="where the files are written (3 GB)")
    parser.add_argument("--workload", action="append", choices=WORKLOADS, help="one of them (may be repeated)")
    parser.add_argument("--only", default="", help="of the tables only the cases whose label holds this")
    parser.add_argument("--repeat", type=int, help="runs of each side; the median counts (5; quick: 3)")
    parser.add_argument("--io-ranks", type=int, default=2)
    parser.add_argument("--all", action="store_true",
                        help="repeat also peers whose first run took over 2.5 (tables: 1.5) times as long as the fastest "
                             "peer's")
    parser.add_argument("--quick", action="store_true",
                        help="a few minutes a workload (nodes: about 20): of each library the best setting alone, found "
                             "by a trial, and of the long tables fewer cases")
    arguments = parser.parse_args()
    if arguments.repeat is None:
        arguments.repeat = _REPEAT_QUICK if arguments.quick else _REPEAT
    if arguments.repeat < 1 or arguments.io_ranks < 1:
        parser.error("--repeat and --io-ranks are at least 1")
    return arguments


def say_conditions(build: Build) -> None:
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.2f}, {build.kind} build in {build.folder}")
    if load > _QUIET_LOAD:
        print("The machine is not quiet: times say little now, counts are exact.")


def run_workload(workload: str, build: Build, arguments: argparse.Namespace) -> Session:
    with tempfile.TemporaryDirectory(prefix="scorpio-bench-", dir=arguments.scratch) as scratch:
        session = Session(build, pathlib.Path(scratch), arguments.repeat, arguments.io_ranks, arguments.all,
                          arguments.only, arguments.quick)
        special = {"open64": open_cost, "memory": memory_budget, "big": big, "w5": homme, "w6": scattered,
                   "pio": pio, "climate": climate, "netcdf4": netcdf4, "nodes": nodes}.get(workload)
        steps = special.steps_of(session) if special else timed.steps_of(session, workload)
        with progress(workload, steps) as step:
            session.step = step
            if special:
                special.run(session)
            else:
                timed.run(session, workload)
        return session


def report(workload: str, session: Session, path: pathlib.Path) -> None:
    if session.rows:
        shown = session.rows if len(session.rows) <= _LONG_TABLE else without_slower_peers(session.rows)
        show_table(f"{workload} ({session.io_ranks} I/O ranks, median of {session.repeat})", *table_of(shown))
        if len(shown) < len(session.rows):
            print(f"{len(session.rows) - len(shown)} rows of slower peers and of the copy alone are only in the file")
    if any("io_rank" in row for row in session.rows):
        print(f"{', '.join(_OF_IO_RANK)}: the most that one I/O rank counted")
    left_out = [case.label for case in CASES.get(workload, []) if session.quick and not case.quick]
    if left_out:
        print(f"not in a quick table: {', '.join(left_out)}")
    for line in session.not_run:
        print(f"not run: {line}")
    for line in session.failures:
        print(f"FAILED: {line}")
    for line in session.peer_failures:
        print(f"left out, since a peer failed: {line}")
    for line in targets.judge(session.rows):
        print(line)
    print(f"rows in {path}\n")


def without_slower_peers(found: list[dict]) -> list[dict]:
    """Ours, raw and floor, and of the peers those that ours are compared with."""
    best = {(row["case"], row["direction"], row["best_peer"]) for row in found if row.get("best_peer")}
    return [row for row in found if row["side"].startswith(("raw", "ours", "floor")) or row.get("percent")
            or (row["case"], row["direction"], row["side"]) in best]


def table_of(found: list[dict]) -> tuple[list[str], list[list[str]]]:
    """Header and cells; columns that would be empty are left out."""
    columns: dict[str, Callable[[dict], str]] = {
        "side": lambda row: row["side"],
        "case": lambda row: row.get("case", ""),
        "ranks": lambda row: str(row["ranks"]),
        "direction": lambda row: row["direction"],
        "median s": lambda row: number(row["median_s"], ".4f"),
        "open s": lambda row: number(row.get("open_s"), ".4f"),
        "run s": lambda row: number(row.get("run_s"), ".3f"),
        "end s": lambda row: number(row.get("end_s"), ".3f"),
        "output s": lambda row: number(row.get("output_s"), ".3f"),
        "puts s": lambda row: number(row.get("put_s"), ".3f"),
        "placing s": lambda row: number(row.get("placing_s"), ".3f"),
        "define s": lambda row: number(row.get("define_s"), ".3f"),
        "close s": lambda row: number(row.get("close_s"), ".3f"),
        "queued s": lambda row: number(row.get("queued_s"), ".3f"),
        "CPU s": lambda row: number(row.get("cpu_s"), ".2f"),
        "writing CPU s": lambda row: number(row.get("writing_cpu_s"), ".2f"),
        "switches": lambda row: number(row.get("switches"), ".0f"),
        "MB/s": lambda row: number(row["bytes"] / row["median_s"] / 1e6, ".0f"),
        "x best peer": lambda row: number(None if "ratio_varn" in row else row.get("ratio_best_peer")),
        "x iput_varn": lambda row: number(row.get("ratio_varn")),
        "x loop": lambda row: number(row.get("ratio_loop")),
        "x rearranged": lambda row: number(row.get("ratio_rearranged")),
        "of native": lambda row: number(row.get("ratio_native")),
        "of C": lambda row: number(row.get("ratio_c")),
        "of one node": lambda row: number(row.get("ratio_one_node")),
        "collectives": lambda row: number(row.get("collectives"), "d"),
        "range bytes": lambda row: number(row.get("range_bytes"), "d"),
        "unaligned": lambda row: number(row.get("unaligned"), "d"),
        "of optimized": lambda row: number(row.get("ratio_optimized")),
        "of floor": lambda row: number(row.get("ratio_floor")),
        "of link": lambda row: number(row.get("ratio_link")),
        "slowest": lambda row: number(row.get("ratio_slowest")),
        "crossed": lambda row: number(row.get("crossed")),
        "of one sync": lambda row: number(row.get("ratio_one_sync")),
        "of limit": lambda row: number(row.get("ratio_limit")),
        "of slow store": lambda row: number(row.get("ratio_rate")),
        "of cdf5": lambda row: number(row.get("ratio_cdf5")),
        "CPU of limit": lambda row: number(row.get("ratio_cpu") if "ratio_limit" in row else None),
        "size of allowed": lambda row: number(row.get("ratio_size")),
        "of raw": lambda row: number(row.get("ratio_raw")),
        "each variable s": lambda row: number(row.get("per_variable_s"), ".4f"),
        "combined %": lambda row: number(row.get("percent"), ".0f"),
        "decompose s": lambda row: number(row.get("decompose_s"), ".4f"),
        **{shown: lambda row, name=name: number(row.get("io_rank", {}).get(name), ".0f")
           for shown, name in _OF_IO_RANK.items()},
        "operations/step": lambda row: number(row.get("operations_per_step"), ".4g"),
        "peer's calls": lambda row: number(row.get("calls"), "d"),
        "opens": lambda row: number(row.get("opens"), "d"),
        "writes": lambda row: number(row.get("writes"), "d"),
        "aligned": lambda row: number(row.get("aligned")),
        "bytes/payload": lambda row: number(row.get("amplification"), ".4f"),
        "staging MiB": lambda row: mebibytes(row.get("peak_staging_bytes")),
        "job adds MiB": lambda row: mebibytes(row.get("extra_job_bytes")),
        "elements": lambda row: {True: "right", False: "WRONG", None: ""}[row["verified"]],
    }
    used = {name: cells for name, cell in columns.items() if any(cells := [cell(row) for row in found])}
    return list(used), [list(row) for row in zip(*used.values())]


def mebibytes(value: float | None) -> str:
    return number(value / 2**20 if value is not None else None, ".1f")


if __name__ == "__main__":
    sys.exit(main())
