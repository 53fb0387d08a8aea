"""What the rows of the workload nodes say of the exchange, without a run of it."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from harness import ablation, cluster, nodes, sides, targets  # noqa: E402
from harness.cases import CASES, Case  # noqa: E402
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

    def __init__(self, more_messages=0, times=None):
        self.more_messages = more_messages
        self.times = times or {}  # by program, in place of 0.1 s
        self.environments = []

    def program(self, name):
        return pathlib.Path(name)

    def run(self, program, ranks, arguments, *, environment=None, **_):
        self.environments.append(environment)
        counters = {name: {"sum": 1000, "max": 1000} for name in _COUNTERS}
        counters["messages"] = {"sum": 1000 + self.more_messages, "max": 1000}
        return Launched({"workload": arguments[arguments.index("--workload") + 1], "ranks": ranks, "bytes": 2000,
                         "direction": arguments[arguments.index("--direction") + 1], "phases_s": {"open": 0.0},
                         "time_s": self.times.get(program, 0.1) * float((environment or {}).get("SCORPIO_NODES", 1)), "verified": True,
                         "steps": 1, "counters": counters, "variables": 1, "io_rank": {"waits": 1}, "io_rank_moving": {}}, "")


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

    def rows_on_hosts(self, direction, case, comparison, *of_case):
        build = PretendedBuild(times={"ours": 0.1, "ours_scattered": 0.1, "floor": 0.05, "hdf5_peer": 0.2,
                                      "pnetcdf_rearranged": 0.2, "pnetcdf_varn": 0.4})
        with tempfile.TemporaryDirectory() as scratch:
            session = Session(build, pathlib.Path(scratch), 1, 4)
            comparison(session, case, direction, *of_case, "4 hosts").run()
        self.assertEqual(session.failures, [])
        return session.rows

    def test_blocks_have_no_floor(self):
        for direction in ("write", "read"):
            rows = self.rows_on_hosts(direction, CASES["w2d"][0], nodes.Comparison)
            self.assertFalse([row["side"] for row in rows if row["side"].startswith("floor")])

    def test_no_file_is_made_or_checked_for_the_floor_of_scattered_arrays(self):
        case = Case("w6", 16, ("pnetcdf_varn", "pnetcdf_rearranged"), label="F", ours=sides.SCATTERED[:1])
        formats = []
        with (mock.patch("harness.scattered_files.make", side_effect=lambda path, form, job: formats.append(form)),
              mock.patch("harness.scattered_files.check", side_effect=lambda path, form, job: formats.append(form))):
            for direction in ("write", "read"):
                rows = self.rows_on_hosts(direction, case, nodes.ScatteredComparison, None)
                ours = next(row for row in rows if row["ours"])
                self.assertEqual([row["side"] for row in rows if row["side"].startswith("floor")], ["floor", "floor, all ranks"])
                self.assertEqual([ours[name] for name in ("ratio_best_peer", "ratio_floor", "best_peer_of_floor", "varn_of_floor")],
                                 [2.0, 0.5, 4.0, 8.0])
                lines = [line for line in targets.judge([ours]) if "ratio_best_peer" in line]
                self.assertEqual(len(lines), 1)
                self.assertTrue(lines[0].endswith("is 2 (floor: 4; floor beside all ranks: 4)"), lines)
        self.assertEqual(set(formats), {"cdf5"})

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
