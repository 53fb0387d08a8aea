"""What the project promises of the rows, and whether it is kept."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Target:
    workload: str
    ranks: int
    direction: str
    member: str
    bound: float
    at_most: bool = False

    def describe(self) -> str:
        sign = "<=" if self.at_most else ">="
        return f"{self.workload}, {self.ranks} ranks, {self.direction}: {self.member} {sign} {self.bound:g}"

    def kept_by(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound


_AT_16 = [Target(workload, 16, direction, member, bound)
          for workload in ("w1", "w2d")
          for direction, member, bound in (("write", "ratio_raw", 0.75), ("read", "ratio_raw", 0.5),
                                           ("write", "ratio_best_peer", 1.8), ("read", "ratio_best_peer", 1.8))]

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
]


def judge(rows: list[dict]) -> list[str]:
    """One line per target that these rows speak of."""
    lines = []
    for target in TARGETS:
        row = next((r for r in rows if r["side"] == "ours" and r["workload"] == target.workload
                    and r["ranks"] == target.ranks and r["direction"] == target.direction), None)
        value = row.get(target.member) if row else None
        if value is not None:
            verdict = "reached" if target.kept_by(value) else "NOT reached"
            lines.append(f"{verdict}: {target.describe()}; is {value:.3g}")
    return lines
