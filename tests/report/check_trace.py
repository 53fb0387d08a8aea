"""check_trace.py MODEL: runs the model with several options, reads its report and its trace with Python's json, and
compares them: activities nest in each thread and lie within the run, and what they sum up to is in the account of each
file."""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MODEL = sys.argv[1]
RANKS = 4
CALLS, WORKER, WRITER = 0, 1, 2
REPETITIONS = 5
ASYNCHRONOUS = {"SCORPIO_ASYNCHRONOUS": "true", "SCORPIO_STORE_FAULTS": "write:1+=2ms"}
POSTED = ASYNCHRONOUS | {"SCORPIO_CLOSE": "post"}
RUNS = {"inline": {}, "asynchronous": ASYNCHRONOUS, "posted": POSTED,
        "two nodes": POSTED | {"SCORPIO_NODES": "2", "SCORPIO_IO_RANKS": "2"}}
# The clocks of nodes are compared by their time of day.
CLOCKS_US = 1000
ACTIVITIES = {"put", "get", "post", "wait", "sync", "other call", "open", "end", "copy", "back-pressure", "agreement",
              "write", "read", "encode", "metadata", "send", "receive"}


def run(settings):
    """The report and the events of the trace."""
    with tempfile.TemporaryDirectory() as folder:
        output = {"SCORPIO_REPORT": f"{folder}/report.json", "SCORPIO_TRACE": f"{folder}/trace.json",
                  "SCORPIO_BLOCK_BYTES": "64k"}
        subprocess.run([os.environ["SCORPIO_MPIRUN"], "-n", str(RANKS), MODEL, folder], check=True, timeout=60,
                       env=os.environ | output | settings)
        report = json.loads(pathlib.Path(output["SCORPIO_REPORT"]).read_text())
        trace = json.loads(pathlib.Path(output["SCORPIO_TRACE"]).read_text())
    assert report["options"]["trace"]["in_force"].endswith("trace.json")
    assert trace["otherData"]["scorpio"] == report["scorpio"]
    return report, trace["traceEvents"]


def is_in(event, outer):
    return outer["ts"] <= event["ts"] + 1e-6 and event["ts"] + event["dur"] <= outer["ts"] + outer["dur"] + 1e-6


def check_threads(events, last_us, slack_us):
    """Events have the fields of the format; those of a thread nest, in the order in which they are in the file."""
    open_now = collections.defaultdict(list)
    for event in events:
        assert 0 <= event["pid"] < RANKS, event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name") and event["args"]["name"], event
            assert event["args"].get("dropped", 0) == 0, event
            continue
        assert -slack_us <= event["ts"] <= last_us + slack_us, (event, last_us)
        if event["ph"] == "C":
            assert event["name"].startswith("queued ") and min(event["args"].values()) >= 0, event
            continue
        assert event["ph"] == "X" and event["name"] in ACTIVITIES and event["dur"] >= 0, event
        assert event["ts"] + event["dur"] <= last_us + slack_us, (event, last_us)
        stack = open_now[event["pid"], event["tid"]]
        while stack and event["ts"] >= stack[-1]["ts"] + stack[-1]["dur"] and not is_in(event, stack[-1]):
            stack.pop()
        assert not stack or is_in(event, stack[-1]), (event, stack[-1])
        assert stack or event["tid"] in (WORKER, WRITER) or event["name"] in ("put", "other call"), event
        stack.append(event)
    names = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert sorted(names) == list(range(RANKS)), names
    return names


def activities(events, name, thread, **more):
    return [event for event in events if event["ph"] == "X" and event["name"] == name and event["tid"] == thread
            and event["args"].get("file") == more.get("file", event["args"].get("file"))
            and event["pid"] == more.get("rank", event["pid"])]


def about(expected, found):
    assert abs(expected - found) <= 0.001 * expected + 0.01, (expected, found)


def sum_of(events, what="dur"):
    return sum(event[what] if what == "dur" else event["args"].get(what, 0) for event in events)


def check_file(report, events, file):
    """The account of a file is what its events sum up to. Times in the account are in ns, in events in us."""
    path = file["path"]
    puts = activities(events, "put", CALLS, file=path)
    assert len(puts) == RANKS * file["calls"]["put"] > 0
    copies = [event for event in activities(events, "copy", CALLS, file=path)
              if any(is_in(event, put) and event["pid"] == put["pid"] for put in puts)]
    about(file["waits_ns"]["sum"]["copy"] / 1e3, sum_of(copies))
    assert [of["rank"] for of in file["io_ranks"]] == report["io_system"]["io_ranks"]
    for of in file["io_ranks"]:
        writes = [event for thread in (WORKER, WRITER)
                  for event in activities(events, "write", thread, file=path, rank=of["rank"])]
        metadata = activities(events, "metadata", WORKER, file=path, rank=of["rank"])
        encodes = activities(events, "encode", WORKER, file=path, rank=of["rank"])
        about(of["encode_ns"] / 1e3, sum_of(encodes))
        about((of["write_ns"] + of["encode_ns"]) / 1e3, sum_of(writes + metadata))
        if path.endswith(".nc"):  # the bytes of chunks are those before they are encoded
            assert sum_of(writes + metadata, "bytes") == of["bytes"], (of, writes, metadata)
        else:
            assert all(any(is_in(event, write) for write in writes) for event in encodes)
    for name, key in (("communication", "communication_ns"), ("encode", "encode_ns"), ("write", "write_ns")):
        assert file["meanwhile_ns"][name] == sum(of[key] for of in file["io_ranks"]), (name, file)
    return sum(of["bytes"] for of in file["io_ranks"]), sum(of["encode_ns"] for of in file["io_ranks"])


def check_numbers(report, events, asynchronous):
    """All that waited is written at the end, and the levels over time are within the staging memory."""
    last, most = {}, collections.Counter()
    for event in sorted((event for event in events if event["ph"] == "C"), key=lambda event: event["ts"]):
        last[event["pid"], event["name"]] = sum(event["args"].values())
        most[event["pid"], event["name"]] = max(most[event["pid"], event["name"]], last[event["pid"], event["name"]])
    assert set(last.values()) <= {0}, last
    levels = report["io_system"]["backlog"]
    assert [of["rank"] for of in levels] == report["io_system"]["io_ranks"]
    for of in levels:
        assert (len(of["samples"]) > 0) == asynchronous, of
        for seconds, slots, level_bytes, image_bytes in of["samples"]:
            assert 0 <= seconds <= report["io_system"]["seconds"] and level_bytes <= 16 << 20, of
            assert slots > 0 or image_bytes > 0, of
    for file in report["files"]:
        for of in file["io_ranks"]:
            name = f"queued slots of {os.path.basename(file['path'])}"
            assert of["queued_slots"] >= most[of["rank"], name] > 0 if asynchronous else of["queued_slots"] == 0, of


def between_calls(events):
    """The bytes that workers wrote while their rank was in no call."""
    calls = [event for event in events if event["ph"] == "X" and event["tid"] == CALLS]
    return sum(event["args"].get("bytes", 0) for event in events
               if event["ph"] == "X" and event["name"] == "write" and event["tid"] in (WORKER, WRITER)
               and not any(call["pid"] == event["pid"] and call["ts"] < event["ts"] + event["dur"]
                           and event["ts"] < call["ts"] + call["dur"] for call in calls))


def check_run(settings):
    """The bytes that workers wrote, those written between calls, and the number of events."""
    asynchronous = "SCORPIO_ASYNCHRONOUS" in settings
    report, events = run(settings)
    names = check_threads(events, report["io_system"]["seconds"] * 1e6,
                          CLOCKS_US if report["io_system"]["nodes"] > 1 else 0.01)
    assert {rank for rank, of in names.items() if "I/O rank" in of} == set(report["io_system"]["io_ranks"]), names
    assert len(report["files"]) == 5
    written, encoded = 0, 0
    for file in report["files"]:
        more = check_file(report, events, file)
        written, encoded = written + more[0], encoded + more[1]
    assert (written > 0) == asynchronous, written
    assert (encoded > 0) == asynchronous, encoded
    check_numbers(report, events, asynchronous)
    return written, between_calls(events), len(events)


for name, settings in RUNS.items():
    asynchronous = "SCORPIO_ASYNCHRONOUS" in settings
    # Where other programs use the cores, ranks that come late to a call keep the others in it while workers write.
    for _ in range(REPETITIONS):
        written, free, number = check_run(settings)
        if free > 0 or not asynchronous:
            break
    assert (free > 0) == asynchronous, (name, free, written)
    print(f"{name}: {number} events, {written} bytes by workers, {free} of them between calls")
