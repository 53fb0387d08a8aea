"""Rows of a result: one per workload, ranks, direction and side; medians, ratios, counters, and the JSON file."""

from __future__ import annotations

import json
import pathlib
import statistics


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
    boundaries = total["aligned_writes"] + total["unaligned_writes"]
    return {
        "opens": total["opens"],
        "writes": total["writes"],
        "reads": total["reads"],
        "metadata_writes": total["metadata_writes"],
        "aligned": total["aligned_writes"] / boundaries if boundaries else None,
        "amplification": (moved - _metadata_bytes(line, total)) / line["bytes"],
        "peak_staging_bytes": line["counters"]["staging_peak_bytes"]["max"],
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
    """Completes our row of one comparison: how many times as fast as the best peer, as raw, and what the interface
    of 2012 keeps of that speed."""
    ours = next((row for row in rows if row["side"] == "ours"), None)
    if ours is None:
        return
    raw = next((row for row in rows if row["side"] == "raw"), None)
    peers = [row for row in rows if row.get("peer")]
    best = min(peers, key=lambda row: row["median_s"], default=None)
    ours["ratio_raw"] = raw["median_s"] / ours["median_s"] if raw else None
    ours["best_peer"] = best["side"] if best else None
    ours["ratio_best_peer"] = best["median_s"] / ours["median_s"] if best else None
    through = next((row for row in rows if row["side"] == "interface of 2012"), None)
    if through is not None:
        ours["ratio_interface_2012"] = ours["median_s"] / through["median_s"]
        through["ratio_best_peer"] = best["median_s"] / through["median_s"] if best else None


def write_json(folder: pathlib.Path, name: str, content) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content, indent=1) + "\n")
    return path
