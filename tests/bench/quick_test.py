"""Quick comparisons run three times what counts, and of each library no more than trials of its settings."""

import collections
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from harness import timed  # noqa: E402
from harness.cases import CASES  # noqa: E402
from harness.launch import Launched, RunFailed  # noqa: E402
from harness.session import Session  # noqa: E402

_COUNTERS = ("opens", "writes", "reads", "metadata_writes", "aligned_writes", "unaligned_writes", "bytes_read",
             "bytes_written", "bytes_fetched", "bytes_placed", "metadata_bytes", "staging_peak_bytes", "operations",
             "rounds", "message_bytes")


class PretendedBuild:
    """Programs take the time that `seconds` says of their name, mode and hints; nothing runs."""

    io_layers = ("ompio", "romio")
    pnetcdf_version = "1.98.7"

    def __init__(self, seconds):
        self.seconds = seconds
        self.started = collections.Counter()
        self.timeouts = []

    def program(self, name):
        return pathlib.Path(name)

    def run(self, program, ranks, arguments, *, mca=None, timeout_s=300, **_):
        mode = arguments[arguments.index("--mode") + 1] if "--mode" in arguments else ""
        setting = (program, mode, "romio" if mca else "ompio", "--tuned" in arguments)
        direction = arguments[arguments.index("--direction") + 1]
        self.started[(*setting, direction, ranks)] += 1
        self.timeouts.append(timeout_s)
        seconds = self.seconds(*setting)
        if seconds > timeout_s:
            raise RunFailed("not ended in time")
        return Launched({"workload": arguments[arguments.index("--workload") + 1], "ranks": ranks, "direction": direction,
                         "bytes": 1000, "time_s": seconds, "phases_s": {"open": 0.0}, "verified": True, "steps": 1,
                         "counters": {name: {"sum": 1, "max": 1} for name in _COUNTERS}}, "")


def seconds_of(program, mode, layer, tuned):
    if "peer" not in program:
        return 0.5
    best = {"hdf5_peer": ("independent", "ompio", False), "pnetcdf_peer": ("nonblocking", "romio", False)}
    return 1.0 if (mode, layer, tuned) == best[program] else 200.0


class Quick(unittest.TestCase):
    def compared(self, workload, quick):
        build = PretendedBuild(seconds_of)
        with tempfile.TemporaryDirectory() as scratch:
            session = Session(build, pathlib.Path(scratch), 3, 2, quick=quick)
            timed.run(session, workload)
        self.assertEqual(session.failures, [])
        return build, session.rows

    def test_the_best_setting_of_each_library_is_kept(self):
        _, rows = self.compared("w2d", quick=True)
        for ranks, expected in ((16, ["hdf5 independent ompio default"]),
                                (64, ["hdf5 independent ompio default", "pnetcdf 1.98.7 nonblocking romio default"])):
            for direction in ("write", "read"):
                peers = [row for row in rows if row["peer"] and (row["ranks"], row["direction"]) == (ranks, direction)]
                self.assertEqual(sorted(row["side"] for row in peers), expected)
                self.assertEqual([len(row["times_s"]) for row in peers], [3] * len(peers))
        self.assertEqual({len(row["times_s"]) for row in rows if row["side"] == "ours"}, {3})

    def test_a_trial_that_cannot_be_the_best_ends_soon(self):
        build, _ = self.compared("w2d", quick=True)
        slow = build.started[("hdf5_peer", "collective", "ompio", False, "write", 16)]
        self.assertEqual(slow, 1)
        self.assertLess(min(build.timeouts), 10)

    def test_with_more_ranks_only_the_fastest_are_tried_again(self):
        build = PretendedBuild(lambda program, *_: 1.0)
        with tempfile.TemporaryDirectory() as scratch:
            timed.run(Session(build, pathlib.Path(scratch), 3, 2, quick=True), "w2d")
        tried = {key[:4] for key in build.started if key[0] == "hdf5_peer" and key[4:] == ("write", 64)}
        self.assertLessEqual(len(tried), 3)  # and the one that makes the file for reading
        self.assertLessEqual(sum(count for key, count in build.started.items() if key[5] == 64), 60)

    def test_without_quick_all_settings_are_compared(self):
        _, rows = self.compared("w2d", quick=False)
        self.assertEqual(sum(row["peer"] and row["ranks"] == 64 for row in rows), 2 * 16)

    def test_trials_are_made_once_a_workload(self):
        build = PretendedBuild(lambda program, *_: 1.0)
        with tempfile.TemporaryDirectory() as scratch:
            session = Session(build, pathlib.Path(scratch), 3, 2, quick=True)
            timed.run(session, "w4")
        trials = sum(count == 1 for count in build.started.values())
        self.assertGreater(trials, 0)
        collective = [count for key, count in build.started.items()
                      if key[:3] == ("hdf5_pattern", "collective", "ompio") and key[4] == "write"]
        self.assertEqual(collective, [1, 1])

    def test_long_tables_have_fewer_cases(self):
        self.assertLess(sum(case.quick for case in CASES["w2"]), len(CASES["w2"]) / 2)
        for workload, cases in CASES.items():
            self.assertTrue(any(case.quick for case in cases), workload)


unittest.main()
