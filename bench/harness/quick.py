"""Quick comparisons: of each library the best of its settings alone. Which that is, trials find in the first case of a
workload, and with another number of ranks among the two that were the fastest there; a trial ends as soon as it cannot
be the best."""

from __future__ import annotations

import time

OUR_SIDES = 2        # of ours, the first and what it is compared with
_SLOWER = 1.2        # times the fastest so far: such a setting is not the best
_LAUNCH_S = 2.0      # a launcher may take so much longer than at the trial before
_FIRST_S = 60.0      # what the first setting may take
_ALSO = 2            # settings that are tried again with another number of ranks


def without_slower_settings(comparison, taking_part: list) -> list:
    """`taking_part` with one peer per library. `comparison` has a session, a case, a direction and trial(side, timeout)."""
    kept = [side for side in taking_part if not side.peer]
    for family in dict.fromkeys(side.family for side in taking_part if side.peer):
        settings = [side for side in taking_part if side.peer and side.family == family]
        best = _best_of(comparison, family, settings)
        if best is None:
            comparison.session.peer_failures.append(f"{family}: no setting could be run")
        else:
            kept.append(best)
    return kept


def _best_of(comparison, family: str, settings: list):
    case = comparison.case
    known = comparison.session.best_settings
    key = (case.workload, case.ranks, comparison.direction, family)
    if known.get(key, [None])[0] not in settings:
        elsewhere = [found for (workload, _, direction, library), found in known.items()
                     if (workload, direction, library) == (case.workload, comparison.direction, family)]
        hopeful = [side for side in elsewhere[0][:_ALSO] if side in settings] if elsewhere else []
        found = _by_trials(comparison, hopeful or settings)
        if not found:
            return None
        known[key] = found
    return known[key][0]


def _by_trials(comparison, settings: list) -> list:
    """Those that ended in time, the fastest first."""
    ended: dict = {}
    best_whole_s = _FIRST_S
    for side in settings[::-1]:  # ROMIO with hints first: seldom slow
        timeout_s = best_whole_s * _SLOWER + _LAUNCH_S if ended else _FIRST_S
        begun = time.monotonic()
        seconds = comparison.trial(side, timeout_s)
        whole_s = time.monotonic() - begun
        if seconds is None:
            continue
        if seconds < min(ended.values(), default=_FIRST_S):
            best_whole_s = whole_s
        ended[side] = seconds
    return sorted(ended, key=ended.get)
