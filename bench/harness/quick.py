"""Quick comparisons: of each library the best of its settings alone. Which that is, trials find in the first case of a
workload; a trial ends as soon as it cannot be the best."""

from __future__ import annotations

import time

OUR_SIDES = 2        # of ours, the first and what it is compared with
_SLOWER = 1.2        # times the fastest so far: such a setting is not the best
_LAUNCH_S = 2.0      # a launcher may take so much longer than at the trial before
_FIRST_S = 60.0      # what the first setting may take


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
    if known.get(key) not in settings:
        found = _by_trials(comparison, settings)
        if found is None:
            return None
        known[key] = found
    return known[key]


def _by_trials(comparison, settings: list):
    best, best_s, best_whole_s = None, 0.0, _FIRST_S
    for side in settings[::-1]:  # ROMIO with hints first: seldom slow
        timeout_s = best_whole_s * _SLOWER + _LAUNCH_S if best else _FIRST_S
        begun = time.monotonic()
        seconds = comparison.trial(side, timeout_s)
        whole_s = time.monotonic() - begun
        if seconds is not None and (best is None or seconds < best_s):
            best, best_s, best_whole_s = side, seconds, whole_s
    return best
