"""What the project promises of the rows, and whether it is kept."""

from __future__ import annotations

import dataclasses

from harness import ablation, homme, maps, netcdf4, nodes
from harness.cases import CASES
from harness.sides import PIO, PIO_FORTRAN, PIO_SYNC_EACH, SCATTERED


@dataclasses.dataclass(frozen=True)
class Target:
    workload: str
    ranks: int
    direction: str
    member: str
    bound: float
    at_most: bool = False
    case: str = ""
    side: str = "ours"

    def describe(self) -> str:
        sign = "<=" if self.at_most else ">="
        what = " ".join((self.workload, self.case)).strip()
        who = "" if self.side == "ours" else f", {self.side}"
        return f"{what}, {self.ranks} ranks, {self.direction}{who}: {self.member} {sign} {self.bound:g}"

    def speaks_of(self, row: dict) -> bool:
        return (row["side"] == self.side and row["workload"] == self.workload and row["ranks"] == self.ranks
                and row["direction"] == self.direction and row.get("case", "") == self.case)

    def kept_by(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound


_AT_16 = [Target(workload, 16, direction, member, bound)
          for workload in ("w1", "w2d")
          for direction, member, bound in (("write", "ratio_raw", 0.75), ("read", "ratio_raw", 0.5),
                                           ("write", "ratio_best_peer", 1.8), ("read", "ratio_best_peer", 1.8))]

_NO_MORE_THAN_ONCE = 1.001  # each byte is moved once; what pads a record's odd bytes is not payload


def _of_combining() -> list[Target]:
    found = []
    for case in (case for workload in ("w2", "w2v", "w3", "w4", "w7", "w8") for case in CASES[workload]):
        for direction in ("write", "read"):
            place = (case.workload, case.ranks, direction)
            found += [Target(*place, "ratio_goal", 1.0, case=case.label),
                      # Puts have no such target: staging combines them, in however many calls they come.
                      Target(*place, "percent", 100, at_most=True, case=case.label),
                      Target(*place, "operations_per_step", 1, at_most=True, case=case.label)]
            if direction == "write":  # reading also counts the header, which is read in large pieces
                found.append(Target(*place, "amplification", _NO_MORE_THAN_ONCE, at_most=True, case=case.label))
    return found


_W8 = [target for direction, of_raw in (("write", 0.75), ("read", 0.5)) for target in (
    Target("w8", 16, direction, "ratio_raw", of_raw, case="contiguous"),
    Target("w8", 16, direction, "exchanged", 0, at_most=True, case="contiguous"),
    Target("w8", 16, direction, "ratio_independent", 3.0, case="hard"))]

# Calls of the PIO interface for single variables cost no more than the native ones for all.
_PIO = [target for case in maps.CASES for target in (
    Target("pio", maps.RANKS, "write", "ratio_native", 1.2, at_most=True, case=case, side=PIO.name),
    Target("pio", maps.RANKS, "read", "ratio_native", 1.0, at_most=True, case=case, side=PIO.name),
    Target("pio", maps.RANKS, "write", "ratio_rearranged", 3.0, case=case, side=PIO.name),
    Target("pio", maps.RANKS, "write", "ratio_one_sync", 2.0, at_most=True, case=case, side=PIO_SYNC_EACH.name),
    *(Target("pio", maps.RANKS, direction, "ratio_c", 1.05, at_most=True, case=case, side=PIO_FORTRAN.name)
      for direction in ("write", "read")))]

_ASYNCHRONOUS = "ours, asynchronous"


def _of_climate() -> list[Target]:
    """Output behind the model: of each case of the schedule, with all of the staging memory, or more."""
    def target(case: str, member: str, bound: float) -> Target:
        return Target("climate", maps.RANKS, "write", member, bound, at_most=True, case=case, side=_ASYNCHRONOUS)

    found = []
    for case in ("cdf5 idle", "cdf5 idle three times", "hdf5 idle", "cdf5 busy", "hdf5 busy", "cdf5 idle 8 of 16"):
        idle = [target(case, name, 1.0) for name in ("ratio_put", "ratio_put_cpu")] if "idle" in case else []
        found += [target(case, "ratio_output", 0.16), *idle, target(case, "ratio_end", 1.0), target(case, "ratio_cpu", 1.1),
                  target(case, "ratio_writing_cpu", 1.1)]
    found += [target("cdf5 article", "ratio_output", 0.35), target("cdf5 idle, the store stops", "ratio_memory", 1.05),
              target("cdf5 workers, tmpfs", "ratio_output", 1.1), target("cdf5 workers, slow store", "ratio_output", 0.65)]
    return found + [target(f"{name} idle quarter", "ratio_whole", 1.1) for name in ("cdf5", "hdf5")]




def _of_netcdf4() -> list[Target]:
    def target(case: str, member: str, bound: float, at_most: bool = False, direction: str = "write",
               side: str = "ours") -> Target:
        return Target("netcdf4", netcdf4.RANKS, direction, member, bound, at_most, case, side)

    return [target("records", "ratio_cdf5", 0.8), target("records", "ratio_best_peer", 8.0),
            target("whole", "ratio_best_peer", 1.3),
            target("deflate", "ratio_limit", 0.85),
            target("deflate", "ratio_limit", 0.8, side=netcdf4.ONE_IO_RANK.name),
            target("deflate", "ratio_best_peer", 2.0),
            target("deflate", "ratio_rearranged", 1.5), target("deflate", "ratio_cpu", 1.2, at_most=True),
            target("deflate", "ratio_size", 1.0, at_most=True), target("sync each", "ratio_size", 1.0, at_most=True),
            target("deflate", "ratio_limit", 0.85, direction="read"),
            target("deflate", "ratio_best_peer", 2.0, direction="read"),
            target("zstd", "ratio_limit", 0.7), target("zstd", "ratio_limit", 0.7, direction="read"),
            *(target(f"{codec}, slow store", "ratio_rate", 0.9, side=netcdf4.ASYNCHRONOUS.name) for codec in ("deflate", "zstd")),
            target("100000 chunks", "close_s", 0.3, at_most=True),
            target("100000 chunks of 5000", "close_s", 0.8, at_most=True),
            target("100000 chunks", "median_s", 0.3, at_most=True, direction="read"),
            target("100000 chunks", "median_s", 0.3, at_most=True, direction="read", side="ours, own file"),
            target("5000 variables", "median_s", 1.0, at_most=True),
            target("5000 variables", "ratio_best_peer", 1 / 0.6)]


def _of_nodes() -> list[Target]:
    """Between nodes: what the plan said and no more, against peers, and against the ranks on one node."""
    def target(case: str, direction: str, member: str, bound: float, at_most: bool = True, side: str = "ours") -> Target:
        return Target("nodes", 16, direction, member, bound, at_most, case, side)

    found = []
    for direction in ("write", "read"):
        for name in ("w2d", "w7", *(f"w6 {name}" for name in maps.CASES)):
            hosts, links = f"{name}, {nodes.HOSTS} hosts", f"{name}, {nodes.LINK}"
            found += [target(hosts, direction, "unplanned", 0), target(hosts, direction, "crossed", _NO_MORE_THAN_ONCE),
                      target(hosts, direction, "ratio_best_peer", 5 if name.startswith("w6") else 2, at_most=False),
                      target(hosts, direction, "ratio_slowest", 1.5),
                      target(links, direction, "ratio_link", 0.8, at_most=False),
                      target(links, direction, "ratio_link_added", 0.8, at_most=False)]
            if name.startswith("w6"):
                found.append(target(hosts, direction, "ratio_varn", 5, at_most=False))
        for name in ("w2d", "w3", "w7", *(f"w6 {name}" for name in maps.CASES)):
            for count in nodes.NODES[1:]:
                found.append(target(f"{name}, pretended", direction, "ratio_one_node", 1.5, side=nodes.on_nodes(count)))
        found += [target(ablation.case_of(name, count), direction, "as_chosen", 1, at_most=False, side=one.side)
                  for name in ablation.names() for count in ablation.NODES for one in ablation.CONFIGURATIONS]
    return found


_W5 = [Target(homme.NAME, maps.RANKS, "write", member, bound, case=homme.LABEL, side=side.name)
       for side in SCATTERED[::2] for member, bound in (("ratio_loop", 10.0), ("ratio_rearranged", 3.0))]

TARGETS = [
    *_AT_16,
    Target("w1", 16, "write", "ratio_interface_2012", 0.95),
    Target("w1", 16, "read", "ratio_interface_2012", 0.95),
    Target("w2d", 64, "write", "ratio_best_peer", 2.0),
    Target("w2d", 64, "read", "ratio_best_peer", 2.0),
    Target("open64", 64, "write", "ratio_allowed", 1.0, at_most=True),
    Target("open64", 64, "read", "ratio_allowed", 1.0, at_most=True),
    Target("memory", 16, "write", "ratio_allowed", 1.0, at_most=True),
    Target("memory", 16, "read", "ratio_allowed", 1.0, at_most=True),
    Target("memory", 16, "write", "ratio_budget", 1.05, at_most=True),
    Target("memory", 16, "read", "ratio_budget", 1.05, at_most=True),
    *_of_combining(),
    *_W5,
    *_W8,
    *_PIO,
    *_of_climate(),
    *_of_netcdf4(),
    *_of_nodes(),
]


def judge(rows: list[dict]) -> list[str]:
    """One line per target that these rows speak of."""
    lines = []
    for target in TARGETS:
        row = next((row for row in rows if target.speaks_of(row)), None)
        value = row.get(target.member) if row else None
        if value is not None:
            kept = target.kept_by(value)
            lines.append(f"{'reached' if kept else 'NOT reached'}: {target.describe()}; is {value:.3g}"
                         f"{'' if kept else _within_reach(target, row)}")
    return lines


def _within_reach(target: Target, row: dict) -> str:
    """What of a goal others would reach who leave out all that is not needed to move the bytes."""
    limits = [f"{what}: {row[member]:.3g}"
              for goal, what, member in (("ratio_goal", "raw, and then placing", "goal_of_raw_and_placing"),
                                         ("ratio_goal", "two-phase by hand", "goal_by_hand"),
                                         ("ratio_rearranged", "raw", "rearranged_of_raw"),
                                         ("ratio_best_peer", "placing and raw", "best_peer_of_limit"),
                                         *((f"ratio_{goal}", what, f"{goal}_of_{name}") for goal in ("best_peer", "varn", "link")
                                           for what, name in (("floor", "floor"), ("floor beside all ranks", "floor_all"))))
              if target.member == goal and row.get(member) is not None]
    return f" ({'; '.join(limits)})" if limits else ""
