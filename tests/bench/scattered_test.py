"""scattered_test.py BUILD_DIR: workloads w5, w6, pio and climate on small maps. Every side writes and reads every element rightly, what
ours costs an I/O rank is what is promised, a wrong element is found, and missing maps are told of."""

import os
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from harness import climate, homme, maps, pio, scattered, scattered_files  # noqa: E402
from harness.launch import Build, RunFailed  # noqa: E402
from harness.session import Session  # noqa: E402

RANKS = 4
BUILD = Build(pathlib.Path(sys.argv.pop(1)))
# One MPI-IO layer is enough here, and of Open MPI's it is ROMIO: PnetCDF's files of scattered runs are now and then wrong with
# OMPIO and hints (1 of 25 on a busy machine). The tables leave such runs out.
BUILD.io_layers = BUILD.io_layers[-1:]
FORMATS = ("cdf5", "hdf5")
_NAP_S = 0.1  # the longest sleep of a rank that waits
_PEERS = 4 if BUILD.program("pnetcdf_varn") else 0  # two ways, with and without hints


def small_job(element_type: str) -> maps.Job:
    """Runs of one and two elements out of order; rank 3 has nothing of the second map, whose end is to be filled."""
    line = maps.Division([23], [[(start, 1) for start in range(rank, 23, RANKS)][::-1] for rank in range(RANKS)],
                         [len(range(rank, 23, RANKS)) for rank in range(RANKS)], 3)
    rows = [[(row * 10 + column, 2) for row in range(5) for column in range(2 * rank, 8, 6)][::-1] for rank in range(3)]
    filled = [[(row * 10 + 8, 2) for row in range(rank, 5, 3)] for rank in range(3)]
    plane = maps.Division([5, 10], [data + fill for data, fill in zip(rows, filled)] + [[]],
                          [len(data) for data in rows] + [0], 2)
    return maps.Job("small", element_type, [line, plane])


class Scattered(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.session = Session(BUILD, pathlib.Path(folder.name), repeat=1, io_ranks=2)

    def rows(self, job: maps.Job) -> list[dict]:
        scattered.run_job(self.session, job)
        self.assertEqual(self.session.failures + self.session.peer_failures, [])
        return self.session.rows

    def test_elements_and_costs_float32(self):
        self.check(small_job("float32"))

    def test_elements_and_costs_float64(self):
        self.check(small_job("float64"))

    def check(self, job: maps.Job) -> None:
        scattered.run_job(self.session, job)
        rows = self.session.rows
        self.assertEqual(self.session.failures + self.session.peer_failures, [])
        self.assertEqual({row["verified"] for row in rows}, {True})
        self.assertEqual(len(rows), 2 * (4 + _PEERS))
        for row in rows:
            if row["ours"]:
                self.check_costs(row, f"{row['side']} {row['direction']}")

    def test_the_pio_interface(self):
        pio.run_job(self.session, small_job("float32"))
        rows = self.session.rows
        self.assertEqual(self.session.failures + self.session.peer_failures, [])
        self.assertEqual({row["verified"] for row in rows if row["side"] != "raw"}, {True})
        self.assertEqual([row["direction"] for row in rows if row["side"] == "raw"], ["write", "read"])
        of_pio = [row for row in rows if row["side"].startswith("PIO")]
        fortran = [row for row in of_pio if row["side"] == "PIO, Fortran"]
        self.assertEqual([row["direction"] for row in of_pio if row not in fortran], ["write"] * 4 + ["read"] * 3)
        if BUILD.program("pio_scattered_fortran"):
            self.assertEqual([row["direction"] for row in fortran], ["write", "read"])
        self.assertTrue(all(row["ratio_native"] > 0 and row["ratio_raw"] > 0 for row in of_pio))
        self.assertTrue(all(row["ratio_c"] > 0 for row in fortran))

    def test_four_runs_with_checkpoints(self):
        """What the last run has written went through all of them; the loop has a call for each run of elements."""
        runs = [[(column * RANKS + rank, 1) for column in range(3)] for rank in range(RANKS)]
        line = maps.whole_division([12], maps.merged(runs, RANKS), 2)
        levels = [[(level * 12 + start, count) for level in range(2) for start, count in of_rank] for of_rank in line.runs]
        job = maps.Job("small", "float64", [line, maps.whole_division([2, 12], levels, 1)])
        with mock.patch.multiple(homme, _STEPS=2, _EVERY=1, _CHECKPOINTS=2 * homme.RUNS):
            homme.run_job(self.session, job)
        self.assertEqual(self.session.failures + self.session.peer_failures, [])
        rows = {row["side"]: row for row in self.session.rows}
        self.assertEqual(len(rows), 2 + (6 if _PEERS else 0))
        files, one = 2 * homme.RUNS + homme.RUNS - 1, 8 * (2 * 12 + 24)
        for name, row in rows.items():
            self.assertTrue(row["verified"], name)
            self.assertEqual(row["bytes"], files * one, name)
            self.assertEqual({"read", "write"} - row["phases_s"].keys(), set(), name)
            if "independent" in name:
                self.assertEqual(row["calls"], files * RANKS * (2 * 3 + 6))
        ours = rows["ours, cdf5"]
        self.assertGreaterEqual(ours["amplification"], 1)
        self.assertLess(ours["amplification"], 1.001)
        self.assertEqual(ours["io_rank_moving"]["messages"], 0)
        if _PEERS:
            self.assertGreater(ours["ratio_loop"], 0)
            self.assertGreater(ours["ratio_rearranged"], 0)
        self.assertEqual(list(self.session.scratch.iterdir()), [])

    def test_a_wrong_restart_is_found(self):
        job = small_job("float64")
        text = self.session.path("map.txt")
        maps.write_text(job, text)
        path = self.session.path("restart.cdf5")
        options = ["--workload", "w5", "--input", str(text), "--file", str(self.session.path("next")), "--restart", str(path),
                   "--steps", "1", "--every", "1", "--mode", "put_variables", "--form", "cdf5", "--verify"]
        scattered_files.make(path, "cdf5", job)
        self.assertTrue(BUILD.run("ours_scattered", RANKS, options).line["verified"])
        content = bytearray(path.read_bytes())
        content[content.rindex(scattered_files.element_values(4, 7, 1, "f8").astype(">f8").tobytes())] ^= 1
        path.write_bytes(content)
        with self.assertRaisesRegex(RunFailed, "1 wrong elements"):
            BUILD.run("ours_scattered", RANKS, options)

    def test_consecutive_ranks_of_a_map_are_merged(self):
        of_ranks = [[(8, 2), (0, 2)], [(2, 3)], [(20, 1)], [(10, 4), (5, 3)]]
        self.assertEqual(maps.merged(of_ranks, 2), [[(0, 5), (8, 2)], [(5, 3), (10, 4), (20, 1)]])
        self.assertEqual(maps.merged(of_ranks, 1), [[(0, 14), (20, 1)]])
        with self.assertRaisesRegex(RunFailed, "4 ranks cannot be merged to 3"):
            maps.merged(of_ranks, 3)

    def test_a_climate_run(self):
        """A loop of three steps with one restart: asynchronous output makes the same files, and every time is told."""
        jobs = [small_job("float32"), small_job("float64")]
        for file_format in FORMATS:
            for model in ("idle", "busy") if file_format == FORMATS[0] else ("idle",):
                case = climate.Case(f"{file_format} {model}", climate.Schedule(3, 0.02, 2), file_format, model)
                self.assertEqual(case.schedule.restarts, 1)
                climate.Comparison(self.session, case, jobs).run()
                none, synchronous, asynchronous = self.session.rows[-3:]
                self.assertEqual(asynchronous["mode"], "asynchronous")
                self.assertTrue(asynchronous["verified"], case.label)
                self.assertGreater(none["median_s"], 0)
                for row in (synchronous, asynchronous):
                    self.assertGreater(row["output_s"], 0, case.label)
                    self.assertEqual(row["bytes"], 4 * sum(map(climate.bytes_of, jobs)))
        self.assertEqual(list(self.session.scratch.iterdir()), [])

    def test_a_climate_run_finds_files_that_differ(self):
        jobs = [small_job("float64")]
        case = climate.Case("cdf5 idle", climate.Schedule(2, 0.01, 1))
        comparison = climate.Comparison(self.session, case, jobs)
        for mode, content in (("synchronous", b"one"), ("asynchronous", b"two")):
            comparison.folder(mode).mkdir()
            (comparison.folder(mode) / "c0.h0.nc").write_bytes(content)
        self.assertFalse(comparison._same_files())

    def check_costs(self, row: dict, name: str) -> None:
        """One agreement for each get, of however many variables; none for puts. On one node no messages. A get waits
        once, or twice where a rank comes between; a wait that lasts is counted again after each nap."""
        moving = row["io_rank_moving"]
        calls = 5 if row["side"].endswith("each variable") else 2
        self.assertEqual(row["variables"], 5)
        self.assertEqual(moving["agreements"], calls if row["direction"] == "read" else 0, name)
        self.assertEqual(moving["messages"], 0, name)
        if row["direction"] == "read":
            self.assertLessEqual(moving["waits"], 2 * calls + row["phases_s"]["read"] / _NAP_S, name)
        self.assertEqual(row["writes"] - row["metadata_writes"] > 0, row["direction"] == "write", name)

    def test_a_wrong_element_is_found(self):
        job = small_job("float64")
        text = self.session.path("map.txt")
        maps.write_text(job, text)
        for file_format in FORMATS:
            path = self.session.path(f"wrong.{file_format}")
            scattered_files.make(path, file_format, job)
            scattered_files.check(path, file_format, job)
            options = ["--input", str(text), "--direction", "read", "--file", str(path), "--verify", "--mode", "put"]
            self.assertTrue(BUILD.run("ours_scattered", RANKS, options).line["verified"])
            content = bytearray(path.read_bytes())
            value = scattered_files.element_values(4, 7, 1, "f8").astype(">f8" if file_format == "cdf5" else "<f8")
            place = content.rindex(value.tobytes())
            content[place] ^= 1
            path.write_bytes(content)
            with self.assertRaisesRegex(RunFailed, "1 of 50 elements of v4 are wrong"):
                scattered_files.check(path, file_format, job)
            with self.assertRaisesRegex(RunFailed, "1 wrong elements"):
                BUILD.run("ours_scattered", RANKS, options)

    def test_a_map_of_other_ranks_is_refused(self):
        text = self.session.path("map.txt")
        maps.write_text(small_job("float32"), text)
        with self.assertRaisesRegex(RunFailed, "is of 4 ranks, and here are 2"):
            BUILD.run("ours_scattered", 2, ["--input", str(text), "--file", "none", "--mode", "put", "--form", "cdf5"])

    def test_missing_maps_are_told_of(self):
        with mock.patch.dict(os.environ, SCORPIO_DATA=str(self.session.scratch)):
            scattered.run(self.session)
        self.assertEqual(self.session.rows, [])
        self.assertEqual(len(self.session.not_run), 3)
        with mock.patch.dict(os.environ, SCORPIO_DATA=str(self.session.scratch)):
            homme.run(self.session)
        self.assertEqual(len(self.session.not_run), 4)
        for line in self.session.not_run:
            self.assertIn("set SCORPIO_DATA", line)

    def test_real_maps_hold_each_element_once(self):
        for case, megabytes in (("F", 16.84), ("G", 9.00), ("I", 91.57)):
            job = maps.read(case)
            if job is None:
                self.skipTest(maps.MISSING)
            elements = 0
            for division in job.divisions:
                runs = sorted(run for runs in division.runs for run in runs)
                ends = [start + count for start, count in runs]
                self.assertEqual([start for start, _ in runs], [0, *ends[:-1]])
                elements += division.variables * ends[-1]
            self.assertAlmostEqual(elements * int(job.element_type[-2:]) / 8e6, megabytes, 2)


unittest.main()
