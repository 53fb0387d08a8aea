"""check_command.py COMMAND: what scorpio-plan prints, and what it says of files and arguments that are wrong."""

import json
import os
import pathlib
import re
import sys
import tempfile

import netCDF4
from plan_files import planned, said, write_text

COMMAND = sys.argv[1]
EVEN = [[1 + 6 * rank + i for i in range(6)] for rank in range(4)]


def refused(expected, *arguments, environment=None):
    code, out, err = said(COMMAND, *arguments, environment=environment)
    assert code == 2 and out == "" and err.startswith("scorpio-plan: ") and err.count("\n") == 1, (code, out, err)
    assert expected in err, (expected, err)


def check_tables(folder):
    path = folder / "map.txt"
    write_text(path, [4, 6], [EVEN[0][:5] + [0], EVEN[1], EVEN[2], EVEN[3] + [1]])
    code, out, err = said(COMMAND, path, "--nodes", 2, "--io-ranks", 3, "--block", "512")
    assert (code, err) == (0, ""), (code, err)
    for part in (f"{path}: PIO's text form, 4 ranks", "array: 4 x 6 elements of float64, 192 B for each of 1 variable(s)",
                 "job: 4 ranks on 2 node(s)", "least / median / most: 5 / 6 / 7", "holds): 1\n",
                 "not in the array): 1\n", "holds too: 1\n", "in force: 2 I/O ranks, cyclic domains",
                 "io_ranks = 0 (default); in force: 2, by the rule: 1 on each node, 2 on nodes with 8 ranks or more",
                 "block_bytes = 512 B (API)", "domains = auto (default); in force: no put divides a variable", "cost_model =  (default)",
                 "writers = 0 (default); in force: all 2 I/O ranks"):
        assert part in out, (part, out)
    rows = {line[:line.index("  ")]: line.split() for line in out.splitlines() if "  " in line and not line.startswith("  ")}
    for row in ("in force", "io_ranks_per_node = 2", "io_ranks = 3", "domains = contiguous", "transfer = alltoall", "transfer = neighbor",
                "writers = 1", "exchange = messages"):
        assert row in rows, (row, out)
    _, out, _ = said(COMMAND, path, "--nodes", 1)
    assert "transfer = alltoall" not in out and "transfer = messages (default)" in out, out


def check_transfer(folder):
    """Rounds cost what they have of operations; the cheapest choice is named; one node has none."""
    path = folder / "map.txt"
    write_text(path, [64 * 1024], [list(range(1 + rank, 64 * 1024 + 1, 8)) for rank in range(8)])
    arguments = ("--nodes", 4, "--block", "4k", "--staging", "128k", "--option", "cost_model=message_ns=1000 network_ns_per_mib=0")
    plan = planned(COMMAND, path, *arguments)
    by = {choice["transfer"]: choice for choice in plan["choices"] if choice["choice"] == "in force" or "transfer = " in choice["choice"]}
    assert set(by) == {"messages", "alltoall", "neighbor"}, by
    single = by["messages"]
    assert single["collective_operations"] == 0 and single["memory"]["transfer_bytes_of_a_rank"] == 0, single
    assert single["rounds"] >= single["most_sent_by_a_node"] / 4, single
    for way in ("alltoall", "neighbor"):
        one = by[way]
        assert one["rounds"] > 0 and one["messages"] == single["messages"], (one, single)
        # All leaders are I/O ranks: each of the 4 takes part in the two operations of a round.
        assert one["collective_operations"] == 2 * 4 * one["rounds"], one
        in_messages = max(single["most_sent_by_a_node"], single["most_received_by_an_io_rank"])
        assert one["cost_ns"] - single["cost_ns"] == 1000 * (2 * 3 * one["rounds"] - in_messages), (one, single)
        assert one["memory"]["transfer_bytes_of_a_rank"] > 0, one
    least = min(plan["choices"], key=lambda choice: choice["cost_ns"])
    assert plan["cheapest"] == least["choice"], (plan["cheapest"], least)
    assert plan["range_bytes_of_a_rank"]["allgather"] == 8 * plan["range_bytes_of_a_rank"]["allreduce"] > 0, plan
    _, out, _ = said(COMMAND, path, *arguments)
    assert f"cheapest by estimated cost: {least['choice']}\n" in out and "with ranges = allreduce" in out, out


def check_ranks(folder):
    """Maps are joined and divided; the array stays the same."""
    path = folder / "map.txt"
    write_text(path, [24], EVEN)
    for ranks, spread in ((1, (24, 24)), (2, (12, 12)), (3, (6, 12)), (4, (6, 6)), (5, (3, 6)), (12, (2, 2)), (24, (1, 1))):
        plan = planned(COMMAND, path, "--ranks", ranks)
        elements = plan["elements_of_a_rank"]
        assert (plan["ranks"], elements["least"], elements["most"]) == (ranks, *spread), (ranks, plan)
        assert plan["gaps"] == 0 and plan["choices"][0]["bytes_written"] == 24 * 8, plan
    assert planned(COMMAND, path, "--ranks", 30)["elements_of_a_rank"]["least"] == 0


def check_arguments(folder):
    path = folder / "map.txt"
    write_text(path, [24], EVEN)
    for option in ("--ranks", "--nodes", "--io-ranks", "--variables", "--decomposition"):
        for value in ("0", "-3", "x", "99999999999"):
            refused(f"{option}", path, f"{option}={value}")
            refused(value, path, f"{option}={value}")
    refused("--nodes 5: more than the 4 ranks", path, "--nodes", 5)
    refused("--io-ranks 5: more than the 4 ranks", path, "--io-ranks", 5)
    refused("--nodes 3: more than the 2 ranks", path, "--ranks", 2, "--nodes", 3)
    refused("--io-ranks 3: more than the 2 ranks", path, "--ranks", 2, "--io-ranks", 3)
    refused("quadruple", path, "--type", "quadruple")
    refused("block_bytes", path, "--block", "1000")
    refused("-5", path, "--block=-5")
    refused("staging_bytes", path, "--staging", "1")
    refused("cdf9", path, "--format", "cdf9")
    refused("io_rank", path, "--option", "io_rank=2")
    refused("--option nothing", path, "--option", "nothing")
    refused("io_ranks = 9", path, "--option", "io_ranks=9")
    refused("filters", path, "--option", "filters=*=lossless")
    refused("option cost_model (API): \"fast\" is not a cost parameter", path, "--option", "cost_model=fast")
    refused("the most similar one is write_ns", path, "--option", "cost_model=writes_ns=3")
    refused("domains = \"circular\"", path, "--option", "domains=circular")
    refused("writers = \"-1\"", path, "--option", "writers=-1")
    refused("SCORPIO_STAGING_BYTES", path, environment=os.environ | {"SCORPIO_STAGING_BYTES": "many"})
    refused("--decomposition 2", path, "--decomposition", 2)
    refused("FILE")
    refused("two", path, "two")
    refused("--wrong", path, "--wrong")
    code, out, _ = said(COMMAND, "--help")
    assert code == 0 and "Usage: scorpio-plan" in out and "--io-ranks" in out and "Exit status" in out, out
    code, out, _ = said(COMMAND, "--version")
    assert code == 0 and re.fullmatch(r"scorpio-plan \d+\.\d+\.\d+\n", out), out


def check_texts(folder):
    path = folder / "bad.txt"
    refused("cannot be opened: No such file", folder / "none")
    refused("cannot be read: it is a directory", folder)
    good = "version 2001 npes 2 ndims 1\n4\n0 2\n1 2\n1 2\n3 4\n"
    cases = {"": "is empty", "hello\n": "line 1: is not a decomposition in PIO's text form: \"hello\"",
             "\x01\x02\n": "is not a decomposition", "version 2001\n": "stands where \"npes\"",
             good.replace("npes 2", "npes 0"): "the number of ranks is 0",
             good.replace("npes 2", "npes -2"): "the number of ranks is -2",
             good.replace("ndims 1", "ndims 40"): "the number of dimensions is 40",
             good.replace("\n4\n", "\n-4\n"): "an extent of the array is -4",
             good.replace("\n4\n", "\n0\n"): "line 2: an extent of the array is 0",
             good.replace("ndims 1\n4", "ndims 2\n4000000000 4000000000"): "4000000000 x 4000000000 elements is too large",
             good.replace("\n1 2\n3", "\n7 2\n3"): "line 5: the number of the rank is 7",
             good.replace("\n0 2", "\n0 -2"): "line 3: the length of the map of rank 0 is -2",
             good.replace("3 4", "3 5"): "line 6: an element of the map of rank 1 is 5, not 0 to 4",
             good.replace("3 4", "3 -1"): "an element of the map of rank 1 is -1",
             good.replace("3 4", "3 x"): "line 6: \"x\" stands where an element of the map of rank 1",
             good.replace("3 4", "3"): "ends where an element of the map of rank 1",
             good.replace("npes 2", "npes 3"): "ends where the number of the rank",
             good.replace("\n0 2", "\n0 99999999999999"): "line 5"}
    for text, expected in cases.items():
        path.write_text(text)
        if expected == "line 5":  # the length is too large: the next words are taken as elements
            refused("of the map of rank 0", path)
            continue
        refused(expected, path)
    path.write_text(good)
    assert said(COMMAND, path)[0] == 0


def write_e3sm(path, change):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as file:
        values = {"nreqs": [2, 1], "fill_starts": [1, 1], "offsets": [0, 6, 3], "lengths": [3, 2, 3]}
        values |= {name: value for name, value in change.items() if name in values}
        for name, value in values.items():
            file.createDimension(f"D1.{name}_length", len(value))
            file.createVariable(f"D1.{name}", "i4", (f"D1.{name}_length",))[:] = value
        if "dims" not in change or change["dims"]:
            file.setncattr("D1.dims", change.get("dims", 8))


def write_pio(path, maps, lengths):
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("dims", 1)
        file.createDimension("task", len(maps))
        file.createDimension("map_element", len(maps[0]))
        file.createVariable("global_size", "i4", ("dims",))[:] = [8]
        file.createVariable("maplen", "i4", ("task",))[:] = lengths
        file.createVariable("map", "i4", ("task", "map_element"))[:] = maps


def check_netcdf(folder):
    path = folder / "map.nc"
    write_e3sm(path, {})
    plan = planned(COMMAND, path)
    assert plan["gaps"] == 2 and plan["elements_of_a_rank"]["most"] == 3 and plan["ranks"] == 2, plan
    refused("decomposition D2 is not in it", path, "--decomposition", 2)
    for change, expected in (({"offsets": [0, 6, 6]}, "a run of 3 elements from element 6"),
                             ({"offsets": [-1, 6, 3]}, "a run of 3 elements from element -1"),
                             ({"lengths": [-3, 2, 3]}, "a run of -3 elements"),
                             ({"nreqs": [2, 2]}, "rank 1 has 2 runs, but only 1 are left"),
                             ({"nreqs": [-2, 1]}, "rank 0 has -2 runs"), ({"dims": -8}, "is -8"),
                             ({"dims": None}, "D1.dims is missing"), ({"lengths": [3]}, "same lengths")):
        write_e3sm(path, change)
        refused(expected, path)
    write_pio(path, [[1, 2, 3, 4], [5, 0, 7, 0]], [4, 3])
    plan = planned(COMMAND, path)
    assert (plan["gaps"], plan["holes"], plan["elements_of_a_rank"]["least"]) == (2, 1, 2), plan
    refused("holds one only", path, "--decomposition", 2)
    write_pio(path, [[1, 2, 3, 4], [5, 9, 7, 0]], [4, 3])
    refused("of the map of rank 1 is 9, not 0 to 8", path)
    write_pio(path, [[1, 2, 3, 4], [5, 0, 7, 0]], [4, 5])
    refused("the map of rank 1 has 5 elements", path)
    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        file.createDimension("x", 3)
    refused("without a decomposition", path)
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("num_procs", 2)
        file.createDimension("array_size", 8)
        for rank, (start, length) in enumerate(((0, 4), (5, 2))):
            file.createDimension(f"nreq_{rank:05}", 1)
            for name, value in (("off", start), ("len", length)):
                file.createVariable(f"{name}_{rank:05}", "i4", (f"nreq_{rank:05}",))[:] = [value]
    for name, value in (("STORE", "null"), ("STORE_FAULTS", "open:1=EACCES"), ("STAGING_BYTES", "64g"), ("ASYNCHRONOUS", "true")):
        code, out, err = said(COMMAND, path, "--json", environment=os.environ | {"SCORPIO_" + name: value})
        assert code == 0 and json.loads(out)["gaps"] == 2, (name, code, out, err)
    assert planned(COMMAND, path)["gaps"] == 2
    path.write_bytes(path.read_bytes()[:50])
    refused("map.nc: ", path)
    path.write_bytes(b"CDF\x07")
    refused("map.nc: ", path)


with tempfile.TemporaryDirectory() as name:
    for check in (check_tables, check_transfer, check_ranks, check_arguments, check_texts, check_netcdf):
        check(pathlib.Path(name))
