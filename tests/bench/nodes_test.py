"""What the rows of the workload nodes say of the exchange, without a run of it."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from harness import ablation, cluster, nodes, targets  # noqa: E402
from harness.launch import Launched  # noqa: E402
from harness.session import Session  # noqa: E402

_COUNTERS = ("opens", "writes", "reads", "metadata_writes", "aligned_writes", "unaligned_writes", "bytes_read",
             "bytes_written", "bytes_fetched", "bytes_placed", "metadata_bytes", "staging_peak_bytes", "operations",
             "rounds", "message_bytes", "messages", "planned_messages", "message_data_bytes")


class PretendedBuild:
    """Each run takes 0.1 s for each pretended node, and sends so many messages more than
    its plan has. Nothing runs."""

    io_layers = ("ompio", "romio")
    pnetcdf_version = ""

    def __init__(self, more_messages=0):
        self.more_messages = more_messages
        self.environments = []

    def program(self, name):
        return pathlib.Path(name)

    def run(self, program, ranks, arguments, *, environment=None, **_):
        self.environments.append(environment)
        counters = {name: {"sum": 1000, "max": 1000} for name in _COUNTERS}
        counters["messages"] = {"sum": 1000 + self.more_messages, "max": 1000}
        return Launched({"workload": arguments[arguments.index("--workload") + 1], "ranks": ranks, "bytes": 2000,
                         "direction": arguments[arguments.index("--direction") + 1], "phases_s": {"open": 0.0},
                         "time_s": 0.1 * float((environment or {}).get("SCORPIO_NODES", 1)), "verified": True,
                         "steps": 1, "counters": counters}, "")


class Nodes(unittest.TestCase):
    def rows_of(self, build):
        with (tempfile.TemporaryDirectory() as scratch, mock.patch.object(cluster, "missing", return_value="not here"),
              mock.patch("harness.maps.read", return_value=None), mock.patch("harness.timed._validate")):
            session = Session(build, pathlib.Path(scratch), 3, 2, only="w2d")
            nodes.run(session)
        self.assertEqual(session.failures, [])
        self.assertEqual(session.not_run, ["nodes, 4 hosts: not here"])
        return session.rows

    def test_each_number_of_nodes_is_compared_with_one(self):
        build = PretendedBuild()
        rows = self.rows_of(build)
        self.assertEqual([(row["direction"], row["side"], row.get("ratio_one_node")) for row in rows if row["ours"]],
                         [(direction, side, ratio) for direction in ("write", "read") for side, ratio in
                          (("ours", None), ("ours, 4 nodes", 4.0), ("ours, 16 nodes", 16.0))])
        self.assertIn({"SCORPIO_NODES": "16"}, build.environments)
        self.assertEqual({row["case"] for row in rows}, {"w2d, pretended"})
        self.assertEqual({row["crossed"] for row in rows}, {0.5})

    def test_targets_say_what_is_not_reached(self):
        lines = targets.judge(self.rows_of(PretendedBuild()))
        self.assertEqual(len(lines), 4)
        self.assertTrue(all(line.startswith("NOT reached: nodes w2d, pretended, 16 ranks") for line in lines), lines)

    def test_messages_that_no_plan_contains_are_seen(self):
        self.assertEqual({row["unplanned"] for row in self.rows_of(PretendedBuild(3))}, {3})
        self.assertEqual({row["unplanned"] for row in self.rows_of(PretendedBuild())}, {0})


class Ablation(unittest.TestCase):
    def judged(self, change=lambda side, counters: None):
        rows, counters = [], {}
        for one in ablation.CONFIGURATIONS:
            counts = {"messages": 100, "collective_transfers": 20 if one.together else 0,
                      "range_bytes": 8 if one.reduced else 128, "unaligned_writes": 1 if one.aligned else 50}
            change(one.name, counts)
            counters[one.side] = {name: {"sum": value, "max": value} for name, value in counts.items()}
            rows.append({"workload": "nodes", "case": ablation.case_of("w3", 4), "ranks": 16, "direction": "write",
                         "side": one.side, "median_s": 0.1})
        ablation.complete(rows, counters)
        return targets.judge(rows)

    def test_each_choice_changes_its_own_counter(self):
        lines = self.judged()
        self.assertEqual(len(lines), 5)
        self.assertTrue(all(line.startswith("reached: nodes w3, ablation, 4 nodes") for line in lines), lines)

    def test_a_choice_that_was_not_in_force_is_seen(self):
        for name, counter in (("no alltoall", "collective_transfers"), ("no allreduce", "range_bytes"),
                              ("no aligned", "unaligned_writes")):
            def as_optimized(side, counters, name=name, counter=counter):
                if side == name:
                    counters[counter] = {"collective_transfers": 20, "range_bytes": 8, "unaligned_writes": 1}[counter]
            wrong = [line for line in self.judged(as_optimized) if line.startswith("NOT reached")]
            self.assertEqual(len(wrong), 1)
            self.assertIn(f"ours, {name}: as_chosen", wrong[0])


if __name__ == "__main__":
    unittest.main()
