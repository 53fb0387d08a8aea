"""netcdf4: variables in chunks, written and read by 16 ranks, beside parallel HDF5 (collective calls of all ranks, with
our chunks and with one chunk for what a rank holds; and of the I/O ranks alone, after one MPI_Alltoallv), beside netCDF-C
on one rank, and beside the codec alone: its plain loop on all processors, and the copy of the elements to the chunks. Where the
store is slow, each I/O rank writes so many bytes a second, and what counts is how fast the elements reach it."""

from __future__ import annotations

import dataclasses

from harness import timed
from harness.cases import Case
from harness.launch import RunFailed
from harness.session import Session
from harness.sides import Side, settings_of

RANKS = 16
_BLOCK_BYTES = 1 << 20  # of a file, that each I/O rank may leave unused
_DEFLATE = ("--filters", "2:0,1:1")
_ZSTD = ("--filters", "2:0,32015:1", "--keep-bits", "10")

OURS = Side("ours", "ours_chunked", "nc4")
_OURS_BLOCK = Side("ours, chunk = block", "ours_chunked", "nc4block", arguments=("--chunk", "block"))
_OURS_CDF5 = Side("ours, cdf5", "ours_chunked", "cdf5", arguments=("--format", "cdf5"))
_OURS_SYNC = Side("ours", "ours_chunked", "nc4", arguments=("--mode", "sync_each"))
# Ranks that wait encode for it.
ONE_IO_RANK = Side("ours, one I/O rank", "ours_chunked", "nc4", arguments=("--option", "io_ranks=1"))
ASYNCHRONOUS = Side("ours, asynchronous", "ours_chunked", "nc4", arguments=("--option", "asynchronous=true"))
_OURS_OWN = Side("ours, own file", "ours_chunked", "own")
LIMIT = Side("limit", "codec_limit", "limit", processes=1)
_SERIAL = Side("netCDF-C on one rank", "netcdf_serial", "nc4", peer=True, processes=1, family="netCDF-C")


@dataclasses.dataclass(frozen=True)
class Chunks:
    """A case, and which peers it has."""

    case: Case
    directions: tuple[str, ...] = timed.DIRECTIONS
    peers: tuple[str, ...] = ()   # collective, block, rearranged, serial
    store_rate: float = 0.0       # bytes a second that all I/O ranks together can write; 0: those of the file system


def _case(label: str, form: str, sizes: tuple[str, ...], *ours: Side, quick: bool = True) -> Case:
    return Case("netcdf4", RANKS, (), ("--form", form, *sizes), label, ours, quick)


_HDF5 = ("collective", "block", "rearranged")
CASES = [
    Chunks(_case("records", "records", (), OURS, _OURS_CDF5, _OURS_BLOCK, LIMIT), ("write",), _HDF5),
    Chunks(_case("whole", "whole", (), OURS, LIMIT), ("write",), _HDF5),
    Chunks(_case("deflate", "filtered", _DEFLATE, OURS, ONE_IO_RANK, LIMIT), peers=_HDF5),
    Chunks(_case("zstd", "filtered", _ZSTD, OURS, LIMIT)),
    Chunks(_case("deflate, slow store", "filtered", _DEFLATE, OURS, ASYNCHRONOUS, LIMIT), ("write",), store_rate=50e6),
    Chunks(_case("zstd, slow store", "filtered", _ZSTD, OURS, ASYNCHRONOUS, LIMIT), ("write",), store_rate=200e6),
    Chunks(_case("sync each", "records", (*_DEFLATE, "--steps", "10"), _OURS_SYNC, LIMIT), ("write",)),
    Chunks(_case("100000 chunks", "index", (), OURS, _OURS_OWN)),
    Chunks(_case("100000 chunks of 5000", "index", ("--variables", "5000"), OURS), ("write",)),
    Chunks(_case("5000 variables", "variables", (), OURS), ("write",), ("serial",)),
]


def _cases_of(session: Session) -> list[Chunks]:
    return [one for one in CASES if session.only in one.case.label and (one.case.quick or not session.quick)]


def steps_of(session: Session) -> int:
    return sum(len(_sides_of(session, one, direction)) * (session.repeat + 2)
               for one in _cases_of(session) for direction in one.directions)


def run(session: Session) -> None:
    for name in ("hdf5_chunked", "netcdf_serial"):
        if not session.build.program(name):
            session.not_run.append(f"netcdf4: {name} was not built")
    for one in _cases_of(session):
        for direction in one.directions:
            Comparison(session, one, direction).run()


def _sides_of(session: Session, chunks: Chunks, direction: str) -> list[Side]:
    left_out = ONE_IO_RANK if direction == "read" else _OURS_OWN
    wanted = [side for side in chunks.case.ours if side != left_out]
    for peer in chunks.peers:
        wanted += _peers_of(session, peer)
    return [side for side in wanted if session.build.program(side.program)]


def _peers_of(session: Session, kind: str) -> list[Side]:
    if kind == "serial":
        return [_SERIAL]
    mode = "rearranged" if kind == "rearranged" else "collective"
    shape = ("--chunk", "block") if kind == "block" else ()
    return [Side(f"hdf5 {name} {kind}", "hdf5_chunked", "nc4block" if shape else "nc4", peer=True, mca=mca,
                 arguments=("--mode", mode, *shape, *flags), family=f"hdf5 {kind}")
            for name, mca, flags in settings_of(session.build)]


class Comparison(timed.Comparison):
    def __init__(self, session: Session, chunks: Chunks, direction: str):
        super().__init__(session, chunks.case, direction)
        self.chunks = chunks
        self.file_bytes: dict[Side, int] = {}

    def sides(self) -> list[Side]:
        return _sides_of(self.session, self.chunks, self.direction)

    def needs_no_repetition(self, side: Side) -> bool:
        """Of each family one is compared with."""
        if self.session.repeat_hopeless or not side.peer:
            return False
        best = min(lines[0]["time_s"] for other, lines in self.lines.items() if other.family == side.family)
        return self.lines[side][0]["time_s"] > 1.2 * best

    def with_input(self, wanted: list[Side]) -> list[Side]:
        """Files of other programs, but for the side that reads our own."""
        ready = set()
        for file_format in dict.fromkeys(side.format for side in wanted):
            writer = next((side for side in self._writers(file_format) if self.session.build.program(side.program)), None)
            if writer is None:
                continue
            try:
                self._start(writer, "write", extra=())
                ready.add(file_format)
            except RunFailed as error:
                self.session.failures.append(f"making the {file_format} file for reading: {error}")
        return [side for side in wanted if side.format in ready]

    def _writers(self, file_format: str) -> list[Side]:
        if file_format == "limit":
            return [LIMIT]
        if file_format == "own":
            return [_OURS_OWN]
        if _ZSTD[1] in self.case.sizes:
            return [OURS]  # the others have no zstd without a plugin
        if not self.chunks.peers:
            return [_SERIAL]  # parallel HDF5 takes long for many chunks
        return _peers_of(self.session, "block" if file_format == "nc4block" else "collective")

    def environment_of(self, side: Side) -> dict[str, str]:
        if not (side.ours and self.chunks.store_rate):
            return super().environment_of(side)
        return self.session.build.slow_writes(self.chunks.store_rate / self.session.io_ranks)

    def check_written(self, side: Side) -> None:
        path = self.file_of(side.format)
        self.file_bytes[side] = path.stat().st_size
        if side.format == "limit":
            return
        reader = self._reader_of(side)
        as_written = dataclasses.replace(reader, format=side.format)
        self.verified[side] = self._start(as_written, "read", extra=("--verify",))["verified"]

    def _reader_of(self, side: Side) -> Side:
        """HDF5, which has no zstd without a plugin, and takes long for many chunks."""
        peer = _peers_of(self.session, "collective")[0]
        by_peer = (self.session.build.program(peer.program) and side.format != "cdf5" and self.chunks.peers
                   and _ZSTD[1] not in self.case.sizes)
        return peer if by_peer else OURS

    def complete(self, found: list[dict]) -> None:
        by_side = {row["side"]: row for row in found}
        limit = by_side.get("limit")
        rearranged = [row for row in found if row["side"].endswith("rearranged")]
        peers = [row for row in found if row["peer"] and row not in rearranged]
        for row in (row for row in found if row["ours"]):
            if peers:
                best = min(peers, key=lambda other: other["median_s"])
                row |= {"best_peer": best["side"], "ratio_best_peer": best["median_s"] / row["median_s"]}
                if limit is not None:
                    row["best_peer_of_limit"] = best["median_s"] / _limit_s(limit)
            if rearranged:
                row["ratio_rearranged"] = min(other["median_s"] for other in rearranged) / row["median_s"]
            if row["side"] != "ours, cdf5" and "ours, cdf5" in by_side:
                row["ratio_cdf5"] = by_side["ours, cdf5"]["median_s"] / row["median_s"]
            row["close_s"] = row["phases_s"]["close"]
            row["cpu_s"] = row["phases_s"]["cpu"]
            if limit is not None:
                self._compare_with_limit(row, limit)

    def _compare_with_limit(self, row: dict, limit: dict) -> None:
        limit["placing_s"], limit["cpu_s"] = limit["phases_s"]["placing"], limit["phases_s"]["cpu"]
        row["ratio_limit"] = _limit_s(limit) / row["median_s"]
        row["ratio_cpu"] = row["cpu_s"] / limit["cpu_s"]
        if self.direction == "write":
            encoded = self.lines[LIMIT][-1]["encoded_bytes"]
            side = next(side for side in self.lines if side.name == row["side"])
            metadata = self.lines[side][-1]["counters"]["metadata_bytes"]["sum"]
            allowed = 1.02 * (encoded + metadata) + self.session.io_ranks * _BLOCK_BYTES
            row |= {"encoded_bytes": encoded, "file_bytes": self.file_bytes[side]}
            row["ratio_size"] = row["file_bytes"] / allowed
            if self.chunks.store_rate:
                row["ratio_rate"] = max(encoded / self.chunks.store_rate, limit["phases_s"]["coding"]) / row["median_s"]


def _limit_s(limit: dict) -> float:
    return limit["phases_s"]["coding"] + limit["phases_s"]["placing"]
