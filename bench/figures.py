#!/usr/bin/env python3
"""Draws what the 2012 paper drew: time in init, open, read, write and close against ranks, and against the size of
groups, behind one metadata server that takes 5 ms per open; ours beside parallel HDF5. And the time of the opens of large
jobs by the counts of docs/scale.md, behind the same server (--counts-only: nothing is measured). With --ablation FILE, the
rows of the workload nodes: the counts of its configurations, and nothing else.

Writes the figures and their numbers (JSON) into docs/figures. Exit code 1 only when a side failed."""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402

from harness import ablation, rows  # noqa: E402
from harness.display import progress  # noqa: E402
from harness.launch import ROOT, Build, RunFailed, slow_opens  # noqa: E402

RANKS = (2, 4, 8, 16, 32, 64)
GROUP_RANKS = 16
GROUP_SIZES = (1, 2, 4, 8, 16)
PHASES = ("init", "open", "read", "write", "close")
SLOPE_TARGET = 0.1
COST_S = 0.005
_ELEMENTS = 240 * 240 * 60  # the paper's datasets at a 64th of their size: 41 MB in two 1-d datasets
_SIDES = {"ours": ("ours", "SCORPIO", "#0b6e99"), "hdf5": ("hdf5_peer", "parallel HDF5, collective", "#c1440e")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path, default=ROOT / "build" / "openmpi-release")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs" / "figures")
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/dev/shm"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--counts-only", action="store_true")
    parser.add_argument("--ablation", type=pathlib.Path, help="nodes.json of the benchmarks")
    arguments = parser.parse_args()
    if arguments.ablation:
        draw_ablation(json.loads(arguments.ablation.read_text()), arguments.output / "ablation.png")
        return 0
    draw_opens_of_large_jobs(opens_by_counts(ROOT / "docs" / "scale.md"), arguments.output / "open-of-large-jobs.png")
    if arguments.counts_only:
        return 0
    if slow_opens("") is None:
        print("figures: not run, the test bed ../shared/testbed is missing")
        return 0
    try:
        numbers = measure(Build(arguments.build_dir), arguments)
    except RunFailed as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1
    rows.write_json(arguments.output, "scaling", numbers)
    draw_phases(numbers["ranks"], "ranks", "number of ranks", arguments.output / "time-against-ranks.png")
    draw_phases(numbers["groups"], "group_size", f"ranks per group, of {GROUP_RANKS}",
                arguments.output / "time-against-group-size.png")
    draw_open(numbers, arguments.output / "open-against-ranks.png")
    say_slope(numbers)
    print(f"figures and numbers in {arguments.output}")
    return 0


def measure(build: Build, arguments: argparse.Namespace) -> dict:
    steps = 2 * arguments.repeat * (2 * len(RANKS) + len(GROUP_SIZES))
    with (tempfile.TemporaryDirectory(prefix="scorpio-figures-", dir=arguments.scratch) as scratch,
          progress("figures", steps) as step):
        def points(side: str, ranks: int, options: tuple[str, ...] = ()) -> dict:
            return phases_of(build, side, ranks, options, pathlib.Path(scratch), arguments.repeat, step)

        by_ranks = [{"side": side, "ranks": ranks, **points(side, ranks)} for ranks in RANKS for side in _SIDES]
        by_group = [{"side": "ours", "ranks": GROUP_RANKS, "group_size": size, **points("ours", GROUP_RANKS, (
            "--option", "io_ranks=0", "--option", "io_placement=groups", "--option", f"group_size={size}"))}
            for size in GROUP_SIZES]
    beside = next(row for row in by_ranks if row["side"] == "hdf5" and row["ranks"] == GROUP_RANKS)
    by_group += [{**beside, "group_size": size} for size in GROUP_SIZES]
    return {"cost_per_open_s": COST_S, "bytes": 12 * _ELEMENTS, "repeat": arguments.repeat,
            "ranks": by_ranks, "groups": by_group, "open_slope_s_per_rank": slopes(by_ranks)}


def phases_of(build: Build, side: str, ranks: int, options: tuple[str, ...], scratch: pathlib.Path, repeat: int,
              step) -> dict:
    """Median seconds per phase of writing the datasets and reading them back; of open and close, when writing."""
    program = _SIDES[side][0]
    wrapper = slow_opens(f"{scratch}/*", f"{COST_S * 1000:g}ms")
    seen: dict[str, list[float]] = {}
    for _ in range(repeat):
        path = scratch / f"{side}.h5"
        path.unlink(missing_ok=True)
        for direction in ("write", "read"):
            step(f"{ranks} ranks, {direction}: {side} {' '.join(options)}")
            command = ["--workload", "w1", "--extent", str(_ELEMENTS), "--direction", direction, "--file", str(path),
                       "--verify", *options]
            line = build.run(program, ranks, command, wrapper=wrapper).line
            taken = {"init": 0.0, **line["phases_s"]}
            if side == "ours":
                taken["open"] = rows.open_with_deferred_s(line, COST_S)
            wanted = ("init", "open", "write", "close") if direction == "write" else ("read", "open", "close")
            for phase in wanted:
                name = f"{phase}_to_read" if direction == "read" and phase != "read" else phase
                seen.setdefault(f"{name}_s", []).append(taken[phase])
    return {name: statistics.median(times) for name, times in seen.items()}


def slopes(by_ranks: list[dict]) -> dict:
    found = {}
    for side in _SIDES:
        points = [(row["ranks"], row["open_s"]) for row in by_ranks if row["side"] == side]
        found[side] = float(numpy.polyfit(*zip(*points), 1)[0])
    return found


def say_slope(numbers: dict) -> None:
    slope = numbers["open_slope_s_per_rank"]
    ratio = slope["ours"] / slope["hdf5"]
    verdict = "reached" if ratio <= SLOPE_TARGET else "NOT reached"
    print(f"{verdict}: time in open grows with ranks at most {SLOPE_TARGET:g} times as fast as parallel HDF5's; "
          f"is {ratio:.3g} ({slope['ours'] * 1e3:.3f} ms and {slope['hdf5'] * 1e3:.3f} ms per rank)")


def draw_phases(points: list[dict], against: str, label: str, path: pathlib.Path) -> None:
    figure, axes = plt.subplots(1, len(PHASES), figsize=(16, 3.6), layout="constrained")
    for axis, phase in zip(axes, PHASES):
        for side, (_, name, colour) in _SIDES.items():
            own = [row for row in points if row["side"] == side]
            axis.plot([row[against] for row in own], [row[f"{phase}_s"] for row in own], "o-", color=colour, label=name)
        axis.set_title(phase)
        axis.set_ylim(bottom=0)
        _axis_of_powers(axis, [row[against] for row in points], label)
    axes[0].set_ylabel("seconds, slowest rank")
    axes[1].legend(frameon=False)
    figure.suptitle(f"{12 * _ELEMENTS / 1e6:.0f} MB, one metadata server, 5 ms per open; what put has only staged is "
                    "written in close; opens that wait for the first write count as open too")
    _save(figure, path)


def draw_open(numbers: dict, path: pathlib.Path) -> None:
    figure, axis = plt.subplots(figsize=(7, 4.4), layout="constrained")
    for side, (_, name, colour) in _SIDES.items():
        own = [row for row in numbers["ranks"] if row["side"] == side]
        slope = numbers["open_slope_s_per_rank"][side] * 1e3
        axis.plot([row["ranks"] for row in own], [row["open_s"] for row in own], "o-", color=colour,
                  label=f"{name}: {slope:.2f} ms per rank")
    axis.set_xlabel("number of ranks")
    axis.set_ylabel("seconds in opening for writing, all I/O ranks")
    axis.set_title("One metadata server, 5 ms per open")
    axis.set_ylim(bottom=0)
    axis.legend(frameon=False)
    _save(figure, path)


def opens_by_counts(page: pathlib.Path) -> dict[str, list[tuple[int, float]]]:
    """(ranks, opens of the whole job) of the workload "blocks" of the table of puts, by ranks on each node."""
    found: dict[str, list[tuple[int, float]]] = {}
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 10 and cells[0].startswith("blocks, "):
            ranks, per_rank = int(cells[1]), float(cells[2].split()[0])
            found.setdefault(cells[0].removeprefix("blocks, "), []).append((ranks, ranks * per_rank))
    if not found:
        raise SystemExit(f"figures: {page} has no table of puts")
    return found


def draw_opens_of_large_jobs(opens: dict[str, list[tuple[int, float]]], path: pathlib.Path) -> None:
    figure, axis = plt.subplots(figsize=(7, 4.4), layout="constrained")
    ranks = sorted({count for points in opens.values() for count, _ in points})
    axis.plot(ranks, [count * COST_S for count in ranks], "o-", color=_SIDES["hdf5"][2], label="every rank opens the file")
    for (per_node, points), line in zip(opens.items(), ("o-", "s--")):
        axis.plot([count for count, _ in points], [all_opens * COST_S for _, all_opens in points], line,
                  color=_SIDES["ours"][2], label=f"SCORPIO, {per_node} ranks on each node")
    _axis_of_powers(axis, ranks, "number of ranks")
    axis.set_yscale("log")
    axis.set_ylabel("seconds that one metadata server needs")
    axis.set_title("Counted opens of a put, 5 ms for each")
    axis.legend(frameon=False)
    _save(figure, path)


def draw_ablation(found: list[dict], path: pathlib.Path) -> None:
    """What each configuration counted when it wrote W3, on 4 and 16 simulated nodes."""
    counts = {"collectives": "collective operations", "range_bytes": "bytes of ranges received",
              "unaligned": "writes that are not aligned", "messages": "messages between nodes"}
    figure, axes = plt.subplots(1, len(counts), figsize=(16, 3.6), layout="constrained", sharey=True)
    for axis, (member, label) in zip(axes, counts.items()):
        for place, (nodes, colour) in enumerate(((4, _SIDES["ours"][2]), (16, _SIDES["hdf5"][2]))):
            own = [row for row in found if row.get("case") == ablation.case_of("w3", nodes) and row["direction"] == "write"]
            if not own:
                raise SystemExit("figures: no rows of the ablation of w3")
            axis.barh([i + 0.4 * place for i in range(len(own))], [row[member] for row in own], 0.38, color=colour,
                      label=f"{nodes} nodes")
        axis.set_yticks([i + 0.2 for i in range(len(own))], [row["side"].removeprefix("ours, ") for row in own])
        axis.set_xscale("symlog", linthresh=10)
        axis.set_title(label)
    axes[0].invert_yaxis()
    axes[0].legend(frameon=False)
    figure.suptitle("BT-IO class A, 5 dumps, 16 ranks, sums over the ranks")
    _save(figure, path)


def _axis_of_powers(axis, values: list[int], label: str) -> None:
    axis.set_xscale("log", base=2)
    axis.set_xticks(sorted(set(values)), [str(value) for value in sorted(set(values))])
    axis.set_xlabel(label)


def _save(figure, path: pathlib.Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())
