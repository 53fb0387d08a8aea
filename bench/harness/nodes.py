"""nodes: what the exchange between nodes costs. Ours with all 16 ranks on one node, and pretended to be on 4 and 16;
the choices of the exchange one by one
(ablation.py); ours and the peers on 4 hosts of the test bed, which are namespaces of this machine that TCP connects; and ours there
with links of 1 Gbit/s. Files are in memory that all hosts see: what is compared is the exchange. The rows `floor` move the same
bytes between the hosts and the file, packed already and without a library: what is possible at all there."""

from __future__ import annotations

import dataclasses

from harness import ablation, cluster, maps, scattered, sides, timed
from harness.cases import CASES, Case
from harness.launch import RunFailed
from harness.session import Session
from harness.sides import Side

HOSTS = 4
NODES = (1, 4, 16)
RUNS = 10  # on hosts: the slowest of them counts too
LINK = "1gbit"
_LINK_BYTES_S = 125e6
_W3 = CASES["w3"][0]
_W7 = CASES["w7"][0]
_PATTERNS = (CASES["w2d"][0], _W3, _W7)
_ON_HOSTS = (dataclasses.replace(CASES["w2d"][0], libraries=("hdf5", "pnetcdf")), _W7)


def name_of(case: Case) -> str:
    return case.workload if case.workload != "w6" else f"w6 {case.label}"


def on_nodes(nodes: int) -> str:
    return "ours" if nodes == 1 else f"ours, {nodes} nodes"


def pretended(ours: Side, nodes: int) -> Side:
    return dataclasses.replace(ours, name=on_nodes(nodes), environment=(("SCORPIO_NODES", str(nodes)),))


def steps_of(session: Session) -> int:
    cases = len(_PATTERNS) + len(maps.CASES)
    return cases * 2 * (len(NODES) * session.repeat + 6 * _runs(session) + 12) + ablation.steps_of(session)  # an upper bound


def run(session: Session) -> None:
    _run_all(session, "pretended", _PATTERNS)
    ablation.run(session)
    reason = cluster.missing()
    if reason is not None:
        session.not_run.append(f"nodes, {HOSTS} hosts: {reason}")
        return
    try:
        with cluster.Cluster(HOSTS) as hosts:
            there = dataclasses.replace(session, build=cluster.ClusterBuild(session.build.folder, hosts),
                                        scratch=hosts.folder, repeat=_runs(session), io_ranks=HOSTS)
            _run_all(there, f"{HOSTS} hosts", _ON_HOSTS)
            hosts.limit_links(LINK)
            _run_all(dataclasses.replace(there, repeat=session.repeat), LINK, _ON_HOSTS)
    except RunFailed as error:
        session.failures.append(f"nodes: {error}")


def _runs(session: Session) -> int:
    return session.repeat if session.quick else max(RUNS, session.repeat)


def _run_all(session: Session, where: str, patterns: tuple[Case, ...]) -> None:
    for case in patterns:
        if session.only in name_of(case):
            for direction in timed.DIRECTIONS:
                Comparison(session, case, direction, where).run()
    for name in maps.CASES[:1] if session.quick else maps.CASES:
        job = maps.read(name) if session.only in f"w6 {name}" else None
        if job is not None:
            case = Case("w6", job.ranks, ("pnetcdf_varn", "pnetcdf_rearranged"), label=name, ours=sides.SCATTERED[:1])
            scattered.compare(session, job, lambda *of: ScatteredComparison(*of, where), case)
        elif session.only in f"w6 {name}":
            session.not_run.append(f"nodes, w6 {name}: {maps.MISSING}")


def sides_of(session: Session, case: Case, where: str) -> list[Side]:
    ours = dataclasses.replace(case.ours[0], name="ours")
    if where == "pretended":
        return [pretended(ours, nodes) for nodes in NODES]
    # It sends equal parts from each node to each I/O rank, as scattered maps do; blocks cross less than that.
    floors = [side for side in sides.FLOORS if case.workload == "w6" and session.build.program(side.program)]
    if where == LINK:
        return [ours, *floors]
    peers = [side for library in case.libraries for side in sides.peers_of(session.build, library)]
    return [ours, *floors, *(side for side in peers if session.build.program(side.program))]


def complete(session: Session, found: list[dict], lines: dict[Side, list[dict]], case: Case, where: str) -> None:
    """What the rows say of each other, and what ours counted."""
    one_node = next((row["median_s"] for row in found if row["side"] == "ours"), None)
    for side, row in ((side, row) for side in lines for row in found if row["side"] == side.name):
        row |= {"workload": "nodes", "case": f"{name_of(case)}, {where}"}
        if not side.ours:
            continue
        total = {name: value["sum"] for name, value in lines[side][-1]["counters"].items()}
        row |= {"messages": total["messages"], "unplanned": abs(total["messages"] - total["planned_messages"]),
                "crossed": total["message_data_bytes"] / row["bytes"]}
        if where == "pretended" and one_node and side.name != "ours":
            row["ratio_one_node"] = row["median_s"] / one_node
        if where != "pretended":
            row["ratio_slowest"] = max(row["times_s"]) / row["median_s"]
        if where == LINK:
            # A leader sends what is written from its host, an I/O rank what is read from it: one of each a host.
            needed_s = lines[side][-1]["counters"]["message_bytes"]["max"] / _LINK_BYTES_S
            row["ratio_link"] = needed_s / row["median_s"]
            # Storage and starting take their time without limits too: what the limit may add is what the bytes need.
            without_limit = _median_on_hosts(session, row, case)
            if without_limit is not None:
                row["ratio_link_added"] = (without_limit + needed_s) / row["median_s"]
        _compare_with_floor(found, row)


def _compare_with_floor(found: list[dict], row: dict) -> None:
    """What of the floor's speed ours has, and what the targets' ratios would be with the floor in the place of ours."""
    for side, name in ((sides.FLOOR, "floor"), (sides.FLOOR_ALL_RANKS, "floor_all")):
        floor_s = next((other["median_s"] for other in found if other["side"] == side.name), None)
        if floor_s is None:
            continue
        row[f"ratio_{name}"] = floor_s / row["median_s"]
        for ratio in ("best_peer", "varn", "link"):
            if row.get(f"ratio_{ratio}") is not None:
                row[f"{ratio}_of_{name}"] = row[f"ratio_{ratio}"] / row[f"ratio_{name}"]


def _median_on_hosts(session: Session, row: dict, case: Case) -> float | None:
    name = f"{name_of(case)}, {HOSTS} hosts"
    same = (other for other in session.rows if other.get("case") == name
            and (other["direction"], other["side"]) == (row["direction"], row["side"]))
    return next((other["median_s"] for other in same), None)


class _OfPlace:
    """A comparison of ranks that are `where`: the last argument, after those of the comparison."""

    def __init__(self, *arguments):
        *of, self.where = arguments
        super().__init__(*of)

    def sides(self) -> list[Side]:
        return sides_of(self.session, self.case, self.where)

    def with_input(self, wanted: list[Side]) -> list[Side]:
        floors = [side for side in wanted if side in sides.FLOORS]
        return super().with_input([side for side in wanted if side not in floors]) + floors

    def check_written(self, side: Side) -> None:
        if side not in sides.FLOORS:
            super().check_written(side)

    def complete(self, found: list[dict]) -> None:
        super().complete(found)
        complete(self.session, found, self.lines, self.case, self.where)


class Comparison(_OfPlace, timed.Comparison):
    pass


class ScatteredComparison(_OfPlace, scattered.Comparison):
    pass
