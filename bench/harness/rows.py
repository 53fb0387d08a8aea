"""Rows of a result: one per workload, ranks, direction and side; medians, ratios, counters, and the JSON file."""

from __future__ import annotations

import json
import pathlib
import statistics

_OF_BEST_PEER = 3
_OF_RAW = {"write": 0.75, "read": 0.5}
_LARGE_BYTES = 100e6


def plain_row(side: str, lines: list[dict], io_ranks: int, verified: bool | None) -> dict:
    """`lines`: what one program printed in each repetition."""
    last = lines[-1]
    times = [line["time_s"] for line in lines]
    return {
        "workload": last["workload"],
        "ranks": last["ranks"],
        "io_ranks": io_ranks,
        "direction": last["direction"],
        "side": side,
        "bytes": last["bytes"],
        "median_s": statistics.median(times),
        "times_s": times,
        "phases_s": {name: statistics.median(line["phases_s"][name] for line in lines) for name in last["phases_s"]},
        "verified": verified,
    }


def counter_members(line: dict) -> dict:
    """What one of our runs counted: system calls of all ranks, bytes per byte of payload, staging of one rank."""
    total = {name: value["sum"] for name, value in line["counters"].items()}
    moved = total["bytes_read"] if line["direction"] == "read" else total["bytes_written"]
    copied = total["bytes_fetched"] if line["direction"] == "read" else total["bytes_placed"]
    boundaries = total["aligned_writes"] + total["unaligned_writes"]
    operations = line["counters"]["operations"]["max"]
    return {
        "opens": total["opens"],
        "writes": total["writes"],
        "reads": total["reads"],
        "metadata_writes": total["metadata_writes"],
        "aligned": total["aligned_writes"] / boundaries if boundaries else None,
        "amplification": (moved - _metadata_bytes(line, total)) / line["bytes"],
        "peak_staging_bytes": line["counters"]["staging_peak_bytes"]["max"],
        "operations": operations,
        "operations_per_step": operations / line["steps"] if "steps" in line else None,
        "rounds": total["rounds"],
        "copied": copied / line["bytes"],
        "exchanged": total["message_bytes"] / line["bytes"],
    }


def open_with_deferred_s(line: dict, cost_s: float) -> float:
    """Time in open of one of our runs, behind a metadata server that takes `cost_s` per open. The call itself opens
    on one rank only; the other I/O ranks open at their first read or write, which is charged here one after another
    (and is also part of the phase where it happened)."""
    deferred = max(0, line["counters"]["opens"]["sum"] - 1)
    return line["phases_s"]["open"] + deferred * cost_s


def _metadata_bytes(line: dict, total: dict) -> int:
    return 0 if line["direction"] == "read" else total["metadata_bytes"]


def add_ratios(rows: list[dict]) -> None:
    """Completes our rows of one comparison: how many times as fast as the best peer, as raw, as independent calls, what
    the interface of 2012 keeps of that speed, and what of the goal one would reach who did nothing but what has to be
    done: the raw access, and the copy through the map (both keep all cores of a full machine busy); and two-phase I/O
    by hand."""
    raw, placing, by_hand, native, through = (next((row for row in rows if row["side"] == side), None) for side in (
        "raw", "placing", "by hand", "ours", "interface of 2012"))
    best = min((row for row in rows if row.get("peer")), key=_median, default=None)
    independent = min((row for row in rows if "independent" in row["side"]), key=_median, default=None)
    for ours in (row for row in rows if row["side"].startswith("ours")):
        ours["ratio_raw"] = raw["median_s"] / ours["median_s"] if raw else None
        ours["best_peer"] = best["side"] if best else None
        ours["ratio_best_peer"] = best["median_s"] / ours["median_s"] if best else None
        ours["ratio_independent"] = independent["median_s"] / ours["median_s"] if independent else None
        ours["ratio_goal"] = _goal(ours)
        if ours["ratio_goal"] is None:
            continue
        goal_s = ours["ratio_goal"] * ours["median_s"]
        if raw and placing:
            ours["goal_of_raw_and_placing"] = goal_s / (raw["median_s"] + placing["median_s"])
        if by_hand:
            ours["goal_by_hand"] = goal_s / by_hand["median_s"]
    if native and through:
        native["ratio_interface_2012"] = native["median_s"] / through["median_s"]
        through["ratio_best_peer"] = best["median_s"] / through["median_s"] if best else None


def _goal(row: dict) -> float | None:
    """Parts of the goal reached, 1 is all of it: three times the best peer, or, of what is large enough that metadata
    do not count, three quarters of raw in writing and half of it in reading."""
    parts = [row["ratio_best_peer"] / _OF_BEST_PEER] if row["ratio_best_peer"] is not None else []
    if row["ratio_raw"] is not None and row["bytes"] > _LARGE_BYTES:
        parts.append(row["ratio_raw"] / _OF_RAW[row["direction"]])
    return max(parts, default=None)


def add_combining(rows: list[dict]) -> None:
    """What combining gains, in the best row of each family that combines: time of one operation as a percentage of that
    of one operation per variable."""
    for family in {row["family"] for row in rows if row.get("family")}:
        best = {role: min((row for row in rows if row["family"] == family and row["role"] == role), key=_median,
                          default=None) for role in ("combined", "per variable")}
        if all(best.values()):
            best["combined"]["per_variable_s"] = best["per variable"]["median_s"]
            best["combined"]["percent"] = 100 * best["combined"]["median_s"] / best["per variable"]["median_s"]


def _median(row: dict) -> float:
    return row["median_s"]


def write_json(folder: pathlib.Path, name: str, content) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path
