"""check_choice.py COMMAND [artificial|e3sm]: what the library chooses by estimated cost is never worse than the fixed rule
that it replaced (cyclic domains), on 1, 4 and 16 nodes, for decompositions of E3SM (cases F, G and I) and for artificial
ones, and it is the cheapest of the choices that it has. Prints both counts."""

import itertools
import json
import math
import os
import pathlib
import random
import sys
import tempfile

from plan_files import planned, write_text

COMMAND, WHICH = sys.argv[1:]
RANKS = 16
DATA = pathlib.Path(os.environ["SCORPIO_DATA"])
COUNTS = ("cost_ns", "messages", "message_data_bytes", "writes", "unaligned_writes", "opens", "shared_blocks",
          "most_bytes_of_an_io_rank")
# Blocks as file systems have them, and so small ones that each variable is divided.
SIZES = (("1m", "16m"), ("16k", "256k"), ("4k", "64k"))


def choices(path, nodes, block, staging, options):
    """The plan with the domains that are chosen, and with each that can be asked for. A file is opened once for all of its
    puts, so that the choice does not count opens."""
    first, *others = planned(COMMAND, path, "--nodes", nodes, "--block", block, "--staging", staging, "--option", "cost_model=open_ns=0",
                             *options)["choices"]
    other, = (choice for choice in others if choice["choice"].startswith("domains = "))
    assert other["choice"] == f"domains = {other['domains']}", other
    return first, {first["domains"]: first, other["domains"]: other}


def compare(name, path, options=(), sizes=SIZES):
    """The number of cases in which another choice than that of the fixed rule is taken."""
    others = 0
    for block, staging in sizes:
        for nodes in (1, 4, 16):
            auto, plans = choices(path, nodes, block, staging, options)
            rule = plans["cyclic"]
            case = (name, nodes, block, auto["domains"], {what: (rule[what], auto[what]) for what in COUNTS})
            # Contiguous domains are chosen if they are 1 % cheaper; on one node they are not counted for one range.
            least = min(rule["cost_ns"], plans["contiguous"]["cost_ns"])
            assert auto["cost_ns"] == least or (auto["domains"] == "cyclic" and (nodes == 1 or least > 0.989 * rule["cost_ns"])), case
            if auto["domains"] == "cyclic":
                continue
            others += 1
            assert auto["cost_ns"] < rule["cost_ns"], case
            print(*case[:4], json.dumps(case[4]))
            assert auto["shared_blocks"] <= rule["shared_blocks"], case
            # I/O ranks with equal writes may be worth a few bytes more.
            assert auto["message_data_bytes"] <= 1.001 * rule["message_data_bytes"], case
            assert auto["messages"] + auto["writes"] <= rule["messages"] + rule["writes"], case
    return others


def check_e3sm(folder):
    for file, decompositions in (("map_f_case_16p.nc", 3), ("map_g_case_16p.nc", 6), ("map_i_case_16p.nc", 5)):
        for k in range(1, decompositions + 1):
            compare(f"{file} D{k}", DATA / file, ("--decomposition", k))
    # Of 512 ranks, whose control lines need more memory.
    sizes = (("1m", "16m"), ("16k", "256k"), ("4k", "256k"))
    for name in ("48602x72_512p_D1.nc", "48602x72_512p_D2.nc"):
        compare(name, DATA / name, sizes=sizes)


def check_balanced(folder):
    """Domains of equal bytes share NP - gcd(NB, NP) of NB blocks of NP I/O ranks, aligned ones none: there some I/O ranks
    have one more block."""
    block = 32768
    for blocks, writers in ((17, 3), (33, 8), (260, 256), (384, 256), (16, 4)):
        elements = blocks * block // 8
        bounds = [1 + elements * rank // writers for rank in range(writers + 1)]
        path = folder / "map.txt"
        write_text(path, [elements], [list(range(*pair)) for pair in itertools.pairwise(bounds)])
        plans = {domains: planned(COMMAND, path, "--block", block, "--staging", "512k", "--option", f"io_ranks={writers}", "--option",
                                  f"domains={domains}")["choices"][0] for domains in ("balanced", "contiguous", "cyclic")}
        shared = {domains: plan["shared_blocks"] for domains, plan in plans.items()}
        assert shared == {"balanced": writers - math.gcd(blocks, writers), "contiguous": 0, "cyclic": 0}, (blocks, writers, shared)
        assert plans["balanced"]["domains"] == "balanced", plans
        most = plans["balanced"]["most_bytes_of_an_io_rank"]
        assert most - blocks * block / writers < 512, (blocks, writers, most)
        for domains in ("contiguous", "cyclic"):
            assert plans[domains]["most_bytes_of_an_io_rank"] == -(-blocks // writers) * block, (blocks, writers, domains)
        assert plans["balanced"]["cost_ns"] > plans["contiguous"]["cost_ns"], plans
        print(f"{blocks} blocks, {writers} I/O ranks: balanced {shared['balanced']} shared blocks, aligned 0")


def check_artificial(folder):
    total = 64 * 1024
    draw = random.Random(3)
    mixed = list(range(1, total + 1))
    draw.shuffle(mixed)
    share = total // RANKS
    patterns = {"consecutive": [list(range(1 + r * share, 1 + (r + 1) * share)) for r in range(RANKS)],
                "in turn": [list(range(1 + r, total + 1, RANKS)) for r in range(RANKS)],
                "any order": [mixed[r * share:(r + 1) * share] for r in range(RANKS)],
                "first quarter": [list(range(1 + r * share // 4, 1 + (r + 1) * share // 4)) for r in range(RANKS)],
                "one rank": [list(range(1, total + 1))] + [[]] * (RANKS - 1),
                "blocks of 256 x 256": [[1 + (r // 4 * 64 + y) * 256 + r % 4 * 64 + x for y in range(64) for x in range(64)]
                                        for r in range(RANKS)]}
    found = {}
    for name, maps in patterns.items():
        path = folder / "map.txt"
        write_text(path, [256, 256], maps)
        found[name] = compare(name, path)
    assert found["consecutive"] > 0 and found["in turn"] == 0 and found["first quarter"] == 0, found


if WHICH == "e3sm" and not (DATA / "map_f_case_16p.nc").is_file():
    print("the maps of the E3SM I/O benchmark are not here: set SCORPIO_DATA")
    sys.exit(77)
with tempfile.TemporaryDirectory() as directory:
    for check in (check_artificial, check_balanced) if WHICH == "artificial" else (check_e3sm,):
        check(pathlib.Path(directory))
