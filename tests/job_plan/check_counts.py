"""check_counts.py COMMAND MODEL [artificial|e3sm]: the messages, bytes, writes, opens and memory that scorpio-plan
foretells are those that a run on 16 ranks and 1 and 4 nodes counts, for the choice in force and for the others."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from plan_files import maps_of, planned, write_text

COMMAND, MODEL, WHICH = sys.argv[1:]
RANKS = 16
DATA = pathlib.Path(os.environ["SCORPIO_DATA"])
# In place of what the file system of the machine says.
BLOCK = "64k"
SETTINGS = {"block_bytes": BLOCK, "staging_bytes": "1m"}


def counted(path, folder, variables, kind, choices):
    """The counters of a run for each of the choices."""
    done = subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", str(RANKS), MODEL, path, folder / "data", str(variables),
                           kind, *choices], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def settings(nodes, choice, extra):
    options = SETTINGS | extra | {"nodes": str(nodes)}
    if choice["choice"] != "in force":
        name, value = choice["choice"].split(" = ")
        options[name] = value
    return ",".join(f"{name}={value}" for name, value in options.items())


def compare(path, folder, variables=1, kind="double", extra=None, file=None, options=(), most_choices=12):
    """`file`: another file with the same decomposition, for the command."""
    extra = extra or {}
    plans = []
    for nodes in (1, 4):
        arguments = [f"--option={name}={value}" for name, value in extra.items()]
        plan = planned(COMMAND, file or path, "--nodes", nodes, "--io-ranks", 3, "--variables", variables, "--type", kind,
                       "--block", BLOCK, "--staging", SETTINGS["staging_bytes"], *arguments, *options)
        assert plan["ranks"] == RANKS and plan["nodes"] == nodes
        plans += [(nodes, choice) for choice in plan["choices"][:most_choices]]
    runs = counted(path, folder, variables, kind, [settings(nodes, choice, extra) for nodes, choice in plans])
    assert len(runs) == len(plans)
    for (nodes, choice), run in zip(plans, runs):
        expected = {"messages": run["messages"], "message_data_bytes": run["message_data_bytes"],
                    "writes": run["writes"] - run["metadata_writes"], "aligned_writes": run["aligned_writes"],
                    "unaligned_writes": run["unaligned_writes"], "opens": run["opens"],
                    "collective_operations": run["collective_transfers"],
                    "bytes_written": run["bytes_written"] - run["metadata_bytes"]}
        found = {name: choice[name] for name in expected}
        assert found == expected, (str(file or path), nodes, choice["choice"], found, expected)
        assert choice["shared_blocks"] == 0, choice
        assert (choice["rounds"] > 0) == (choice["messages"] > 0), choice
        assert (choice["memory"]["transfer_bytes_of_a_rank"] > 0) == (nodes > 1 and choice["transfer"] != "messages"), choice
        # The I/O rank with the most has its share of the node's memory.
        assert choice["memory"]["io_rank_staging_bytes"] <= run["most_staging_bytes"], (choice, run)
        assert run["staging_bytes"] <= choice["memory"]["node_staging_bytes"] * nodes, (choice, run)
    return plans


def artificial(seed, overlaps):
    """Single elements and runs of a 3-dimensional array in any order, gaps, holes, a rank without any elements."""
    draw = random.Random(seed)
    dims = [7, 53, 211]
    total = dims[0] * dims[1] * dims[2]
    maps = [[] for _ in range(RANKS)]
    at = 1
    while at <= total:
        length = draw.choice((1, 1, 2, 5, 40, 700))
        end = min(at + length, total + 1)
        rank = draw.randrange(RANKS - 1)  # the last one has none
        what = draw.random()
        if what < 0.8:
            maps[rank] += range(at, end)
        elif what < 0.9:
            maps[rank] += [0] * (end - at)
        if overlaps and what > 0.6:
            maps[draw.randrange(RANKS - 1)] += range(at, end)
        at = end
    return dims, maps


def check_artificial(folder):
    path = folder / "map.txt"
    for overlaps, variables, kind, extra in ((False, 3, "double", {}), (True, 2, "float", {"format": "cdf5"})):
        write_text(path, *artificial(len(extra) + 1, overlaps))
        plans = compare(path, folder, variables, kind, extra)
        assert any(choice["messages"] > 0 for _, choice in plans)
        names = [choice["choice"] for nodes, choice in plans if nodes == 4]
        assert names[0] == "in force" and "io_ranks = 3" in names and "exchange = messages" in names, names
        assert {"transfer = alltoall", "transfer = neighbor"} < set(names), names
        assert any(choice["collective_operations"] > 0 for _, choice in plans), plans
        other = "cyclic" if plans[0][1]["domains"] == "contiguous" else "contiguous"
        assert (f"domains = {other}" in names) == (not extra), names
        assert "writers = 2" in names, names


def check_comb(folder):
    """More gaps than the ranks know: the writes are those of the elements that are held all the same."""
    path = folder / "map.txt"
    write_text(path, [500_000], [[at for i in range(rank, 100_000, RANKS) for at in (5 * i + 1, 5 * i + 2)]
                                 for rank in range(RANKS)])
    plans = compare(path, folder, 1, "double", most_choices=1)
    assert plans[0][1]["writes"] >= 100_000, plans[0]


def check_e3sm(folder):
    import netCDF4

    path = folder / "map.txt"
    with netCDF4.Dataset(DATA / "map_f_case_16p.nc") as dataset:
        write_text(path, *maps_of(dataset, "D3"))
    options = ("--decomposition", 3)
    compare(path, folder, 4, "float", file=DATA / "map_f_case_16p.nc", options=options)
    with netCDF4.Dataset(DATA / "map_i_case_16p.nc") as dataset:
        write_text(path, *maps_of(dataset, "D2"))  # with gaps
    compare(path, folder, 2, "float", file=DATA / "map_i_case_16p.nc", options=("--decomposition", 2))
    compare(DATA / "piodecomp16tasks16io02dims_ioid_548.dat", folder, 3)


if WHICH == "e3sm" and not (DATA / "map_f_case_16p.nc").is_file():
    print("the maps of the E3SM I/O benchmark are not here: set SCORPIO_DATA")
    sys.exit(77)
with tempfile.TemporaryDirectory() as name:
    for check in (check_artificial, check_comb) if WHICH == "artificial" else (check_e3sm,):
        check(pathlib.Path(name))
