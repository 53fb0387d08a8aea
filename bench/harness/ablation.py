"""The choices of the exchange between nodes one by one, as the paper of 2006 does it on Blue Gene/L: I/O ranks of equal
groups of ranks alone, and with them the exchange in collective rounds, the ranges of requests by a reduction, and file
domains of whole blocks; all of them, and all without one. W3 and W6 in HDF5 files, whose domains can be changed, on
pretended nodes; of W3 5 dumps. Each choice has a counter of its own, which says whether it was in force."""

from __future__ import annotations

import dataclasses

from harness import maps, scattered, timed
from harness.cases import CASES, Case
from harness.session import Session
from harness.sides import SCATTERED, Side

NODES = (4, 16)
# 5 of the 40 dumps: the small units of domains that are not aligned are many.
_W3 = dataclasses.replace(CASES["w3"][0], sizes=("--steps", "5"))
_TOGETHER = "SCORPIO_TRANSFER", "alltoall", "messages"
_REDUCED = "SCORPIO_RANGES", "allreduce", "allgather"
_ALIGNED = "SCORPIO_DOMAINS", "cyclic", "balanced"


@dataclasses.dataclass(frozen=True)
class Configuration:
    name: str
    together: bool = True  # data cross in rounds, by collective operations
    reduced: bool = True   # ranges of requests
    aligned: bool = True   # domains of whole blocks

    @property
    def side(self) -> str:
        return f"ours, {self.name}"

    def environment(self, nodes: int) -> tuple[tuple[str, str], ...]:
        chosen = ((variable, on if chosen else off) for chosen, (variable, on, off) in (
            (self.together, _TOGETHER), (self.reduced, _REDUCED), (self.aligned, _ALIGNED)))
        return ("SCORPIO_NODES", str(nodes)), *chosen


OPTIMIZED = Configuration("optimized")
CONFIGURATIONS = (OPTIMIZED, Configuration("no allreduce", reduced=False), Configuration("no alltoall", together=False),
                  Configuration("no aligned", aligned=False), Configuration("pset only", False, False, False))


def case_of(name: str, nodes: int) -> str:
    return f"{name}, ablation, {nodes} nodes"


def names() -> tuple[str, ...]:
    return "w3", *(f"w6 {name}" for name in maps.CASES)


def steps_of(session: Session) -> int:
    return (1 + len(maps.CASES)) * len(NODES) * 2 * len(CONFIGURATIONS) * (session.repeat + 1)  # an upper bound


def run(session: Session) -> None:
    for nodes in NODES:
        if session.only in case_of("w3", nodes):
            for direction in timed.DIRECTIONS:
                Comparison(session, _W3, direction, nodes).run()
        for name in maps.CASES[:1] if session.quick else maps.CASES:
            if session.only not in case_of(f"w6 {name}", nodes):
                continue
            job = maps.read(name)
            if job is None:
                session.not_run.append(f"{case_of(f'w6 {name}', nodes)}: {maps.MISSING}")
                continue
            case = Case("w6", job.ranks, (), label=name)
            scattered.compare(session, job, lambda *of, nodes=nodes: ScatteredComparison(*of, nodes), case)


def side_of(session: Session, configuration: Configuration, pattern: Side, ranks: int, nodes: int) -> Side:
    """Groups of ranks, as many as I/O ranks, in place of a number of I/O ranks."""
    groups = ("--option", "io_ranks=0", "--option", "io_placement=groups", "--option",
              f"group_size={-(-ranks // session.io_ranks)}")
    return dataclasses.replace(pattern, name=configuration.side, arguments=(*pattern.arguments, *groups),
                               environment=configuration.environment(nodes), family="", role="")


class _OfConfigurations:
    """A comparison of the configurations on so many nodes: the last argument, after those of the comparison."""

    pattern: Side

    def __init__(self, *arguments):
        *of, self.nodes = arguments
        super().__init__(*of)

    def sides(self) -> list[Side]:
        return [side_of(self.session, one, self.pattern, self.case.ranks, self.nodes) for one in CONFIGURATIONS]

    def complete(self, found: list[dict]) -> None:
        super().complete(found)
        name = "w3" if self.case.workload == "w3" else f"w6 {self.case.label}"
        for row in found:
            row |= {"workload": "nodes", "case": case_of(name, self.nodes)}
        complete(found, {side.name: lines[-1]["counters"] for side, lines in self.lines.items()})


def complete(found: list[dict], counters: dict[str, dict]) -> None:
    """`counters` of each side. Which counters a configuration changes against the optimized one, and whether they are
    those of its choices."""
    rows = {row["side"]: row for row in found}
    for side, row in rows.items():
        total = {name: value["sum"] for name, value in counters[side].items()}
        row |= {"messages": total["messages"], "collectives": total["collective_transfers"],
                "range_bytes": total["range_bytes"], "unaligned": total["unaligned_writes"]}
    best = rows.get(OPTIMIZED.side)
    for configuration in CONFIGURATIONS:
        row = rows.get(configuration.side)
        if row is not None and best is not None:
            row["as_chosen"] = float(is_as_chosen(configuration, row, best))
            row["ratio_optimized"] = row["median_s"] / best["median_s"]


def is_as_chosen(configuration: Configuration, row: dict, best: dict) -> bool:
    """Each choice decides alone what its own counter says; small units also have more messages and rounds. Collective
    calls need no ranges, by neither way; reading has no writes to be aligned."""
    ranks = row["ranks"]
    return ((row["collectives"] > 0) == configuration.together
            and row["range_bytes"] == best["range_bytes"] * (1 if configuration.reduced else ranks)
            and (row["direction"] == "read" or (row["unaligned"] > best["unaligned"]) == (not configuration.aligned)))


class Comparison(_OfConfigurations, timed.Comparison):
    pattern = Side("ours", "ours_pattern", "hdf5", arguments=("--mode", "combined", "--format", "hdf5"))


class ScatteredComparison(_OfConfigurations, scattered.Comparison):
    pattern = next(side for side in SCATTERED if side.format == "hdf5")
