"""Which I/O rank wrote which bytes of the output file, from what the I/O system said of itself, checked against what
was counted."""

from __future__ import annotations

import pathlib
import re

import h5py

_BLOCK_BYTES = 1 << 20  # the file system's block where it is not known


class Domains:
    """`line`: what our program printed."""

    def __init__(self, path: pathlib.Path, line: dict):
        said = line["description"]
        self.io_ranks = [int(rank) for rank in re.search(r"^I/O ranks: \d+ \(([\d, ]+)\)", said, re.M)[1].split(",")]
        unit_bytes = int(re.search(r"^collective buffers: \d+ of (\d+) bytes", said, re.M)[1])
        self.owned_bytes = max(unit_bytes, _BLOCK_BYTES)
        self.counted = line["counters_writing"]
        with h5py.File(path) as file:
            found = []

            def visit(name: str, object_) -> None:
                if isinstance(object_, h5py.Dataset):
                    found.append((name, object_.id.get_offset(), object_.id.get_storage_size()))

            file.visititems(visit)
        self.datasets = sorted(found, key=lambda item: item[1])  # (path, first byte in the file, bytes)

    def owner(self, offset):
        """The I/O rank (its rank in the job) of a byte of the file, or of an array of them."""
        turn = offset // self.owned_bytes % len(self.io_ranks)
        return self.io_ranks[turn] if isinstance(turn, int) else [self.io_ranks[t] for t in turn]

    def pieces(self):
        """(first byte, end, dataset, I/O rank) in the order of the file."""
        for name, offset, size in self.datasets:
            at = offset
            while at < offset + size:
                end = min(offset + size, (at // self.owned_bytes + 1) * self.owned_bytes)
                yield at, end, name, self.owner(at)
                at = end

    def bytes_of(self, rank: int) -> int:
        return sum(end - at for at, end, _, owner in self.pieces() if owner == rank)

    def summary(self) -> list[str]:
        lines = []
        for rank in self.io_ranks:
            counted = self.counted["bytes_written"][rank] - self.counted["metadata_bytes"][rank]
            expected = self.bytes_of(rank)
            verdict = "as its share of the file says" if counted == expected else f"its share says {expected:,}"
            lines.append(f"I/O rank {rank} wrote {counted:,} bytes of data, {verdict}")
        return lines
