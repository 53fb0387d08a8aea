"""netcdf4_test.py BUILD_DIR: workload netcdf4 on small arrays. Every side writes and reads every element rightly, what is
compared is told, and a wrong element is found."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from harness import netcdf4, targets  # noqa: E402
from harness.cases import Case  # noqa: E402
from harness.launch import Build, RunFailed  # noqa: E402
from harness.session import Session  # noqa: E402

RANKS = 4
BUILD = Build(pathlib.Path(sys.argv.pop(1)))
BUILD.io_layers = BUILD.io_layers[-1:]  # one MPI-IO layer is enough here
SMALL = {"records": ("--steps", "2"), "whole": ("--steps", "2"), "filtered": ("--variables", "1"),
         "index": ("--extent", "40", "--variables", "1"), "variables": ("--variables", "5")}


def small(chunks: netcdf4.Chunks) -> netcdf4.Chunks:
    case = chunks.case
    form = case.sizes[1]
    sizes = dict(zip(case.sizes[::2], case.sizes[1::2])) | dict(zip(SMALL[form][::2], SMALL[form][1::2]))
    arguments = tuple(part for option in sizes.items() for part in option)
    return netcdf4.Chunks(Case(case.workload, RANKS, (), arguments, case.label, case.ours), chunks.directions, chunks.peers,
                          chunks.store_rate)


class Netcdf4(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.session = Session(BUILD, pathlib.Path(folder.name), repeat=1, io_ranks=2)

    def test_every_side_moves_every_element(self):
        for chunks in map(small, netcdf4.CASES):
            for direction in chunks.directions:
                with self.subTest(case=chunks.case.label, direction=direction):
                    self.session.rows.clear()
                    netcdf4.Comparison(self.session, chunks, direction).run()
                    self.assertEqual(self.session.failures + self.session.peer_failures, [])
                    self.check(self.session.rows, direction)
        self.assertEqual([path.name for path in self.session.scratch.iterdir()], [])

    def check(self, rows: list[dict], direction: str) -> None:
        self.assertIn("ours", {row["side"] for row in rows})
        for row in rows:
            if row["side"] != "limit" or direction == "read":
                self.assertTrue(row["verified"], row["side"])
            if row["ours"] and "limit" in {other["side"] for other in rows}:
                self.assertGreater(row["ratio_limit"], 0)
                self.assertGreater(row["ratio_cpu"], 0)

    def test_what_is_promised_has_a_row(self):
        labels = {chunks.case.label: chunks.directions for chunks in netcdf4.CASES}
        promised = [target for target in targets.TARGETS if target.workload == "netcdf4"]
        self.assertGreater(len(promised), 10)
        for target in promised:
            self.assertIn(target.direction, labels[target.case])

    def test_a_wrong_element_is_found(self):
        path = self.session.path("wrong.nc4")
        options = ["--form", "index", "--extent", "40", "--file", str(path)]
        BUILD.run("ours_chunked", RANKS, options)
        reading = [*options, "--direction", "read", "--verify"]
        self.assertTrue(BUILD.run("ours_chunked", RANKS, reading).line["verified"])
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1  # half of the file is past its metadata
        path.write_bytes(content)
        with self.assertRaisesRegex(RunFailed, "wrong elements"):
            BUILD.run("ours_chunked", RANKS, reading)


unittest.main()
