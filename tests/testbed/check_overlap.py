"""check_overlap.py FILE TRACE HOW: what overlap_model put is in the file; and the trace says whether messages came to the I/O
rank while the model computed: between its put and the next call for the file. HOW as for the model."""

import json
import pathlib
import sys

import netCDF4

PATH, TRACE, HOW = sys.argv[1:]
IO_RANK, CALLS, PROGRESS = 0, 0, 3

with netCDF4.Dataset(PATH) as file:
    values = file["v"][:]
assert all(values == range(len(values))), values

events = [event for event in json.loads(pathlib.Path(TRACE).read_text())["traceEvents"]
          if event["ph"] == "X" and event["pid"] == IO_RANK]
puts = [event for event in events if event["name"] == "put"]
assert len(puts) == 1, puts
begin = puts[0]["ts"] + puts[0]["dur"]
calls = [event["ts"] for event in events if event["tid"] == CALLS and event["name"] == "other call"]
end = min(time for time in calls if time >= begin)
received = {thread: [event for event in events if event["name"] == "receive" and event["tid"] == thread
                     and begin <= event["ts"] and event["ts"] + event["dur"] <= end] for thread in (CALLS, PROGRESS)}
total = sum(event["args"]["bytes"] for event in events if event["name"] == "receive")
overlapping = {thread: sum(event["args"]["bytes"] for event in received[thread]) for thread in received}
print(f"{HOW}: of {total} bytes of messages came while the model computed: {overlapping[CALLS]} in calls of "
      f"scorpio_progress, {overlapping[PROGRESS]} by the progress thread, in {(end - begin) / 1e6:.3f} s")
# All but the ranks of the I/O rank's own host send their part.
assert total >= len(values) * 8 / 2, total
assert HOW == "none" or overlapping[PROGRESS if HOW == "thread" else CALLS] >= total / 2, overlapping
assert HOW == "thread" or overlapping[PROGRESS] == 0, overlapping
assert HOW == "calls" or overlapping[CALLS] == 0, overlapping
