// What a thread records, and its text in the trace event format.
#include "observe/trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/counters.h"
#include "observe/trace_text.h"

namespace scorpio::observe {
namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

constexpr TraceClock::time_point k_origin{1000s};

// The events of a rank without names of processes and threads.
Json events_of(const Trace& trace, bool with_names = false) {
  const std::string text =
      trace_head("1.2.3") + trace_events(trace, {3, true, k_origin}).substr(1) + trace_end();
  const Json all = Json::parse(text);
  EXPECT_EQ("1.2.3", all["otherData"]["scorpio"]);
  Json events = Json::array();
  for (const Json& event : all["traceEvents"]) {
    EXPECT_EQ(3, event["pid"]);
    if (with_names || event["ph"] != "M") events.push_back(event);
  }
  return events;
}

TEST(Trace, OnlyAThreadWithATrackRecords) {
  Trace all;
  trace(Activity::write, k_origin, k_origin + 1us, 5);
  trace_number(Activity::queued_slots, 1, 5);
  {
    const TraceHere here(&all.calls());
    trace(Activity::write, k_origin, k_origin + 1us, 5);
    {
      const TraceHere none(nullptr);
      trace(Activity::read, k_origin, k_origin + 1us, 5);
    }
    trace(Activity::read, k_origin, k_origin + 1us, 5);
  }
  trace(Activity::write, k_origin, k_origin + 1us, 5);
  ASSERT_EQ(2u, all.calls().size());
  EXPECT_EQ(Activity::write, all.calls().at(0).what);
  EXPECT_EQ(Activity::read, all.calls().at(1).what);
}

TEST(Trace, AnActivityIsForTheFileThatTheThreadWorksFor) {
  Trace all;
  const TraceHere here(&all.worker(), 4);
  trace(Activity::write, k_origin, k_origin);
  {
    const TraceFile other(7);
    trace(Activity::write, k_origin, k_origin);
  }
  trace(Activity::write, k_origin, k_origin);
  ASSERT_EQ(3u, all.worker().size());
  EXPECT_EQ(4u, all.worker().at(0).file);
  EXPECT_EQ(7u, all.worker().at(1).file);
  EXPECT_EQ(4u, all.worker().at(2).file);
}

TEST(Trace, WhatDoesNotFitIsCounted) {
  Trace all(3);
  const TraceHere here(&all.calls());
  for (int i = 0; i < 5; ++i) trace(Activity::copy, k_origin + i * 1us, k_origin + (i + 1) * 1us);
  EXPECT_EQ(3u, all.calls().size());
  EXPECT_EQ(2u, all.calls().dropped());
  const Json events = events_of(all, true);
  EXPECT_EQ(2, events[1]["args"]["dropped"]) << events;
}

TEST(Trace, LooksOfARankThatWaitsAreOneWait) {
  Track track(10);
  const auto wait = [&](std::chrono::microseconds begin, std::chrono::microseconds end, uint64_t file) {
    track.add({k_origin + begin, k_origin + end, file, 0, Activity::back_pressure});
  };
  wait(0us, 900us, 1);
  wait(1000us, 2000us, 1);
  wait(2001us, 3000us, 2);
  wait(9000us, 9001us, 2);
  ASSERT_EQ(3u, track.size());
  EXPECT_EQ(k_origin + 2000us, track.at(0).end);
}

TEST(Trace, TimersRecordToo) {
  Trace all;
  uint64_t ns = 0;
  {
    const TraceHere here(&all.calls());
    const Timer silent(ns);
    const Timer timer(ns, Activity::agreement, 6);
  }
  ASSERT_EQ(1u, all.calls().size());
  EXPECT_EQ(Activity::agreement, all.calls().at(0).what);
  EXPECT_EQ(6u, all.calls().at(0).value);
  EXPECT_LE(static_cast<uint64_t>((all.calls().at(0).end - all.calls().at(0).begin).count()), ns);
}

TEST(Trace, AnActivityPrecedesThoseInsideIt) {
  Trace all;
  all.name_file(2, "/data/a \"b\"\xff.nc");
  {
    const TraceHere here(&all.calls(), 2);
    trace(Activity::copy, k_origin + 1us, k_origin + 2us);
    trace(Activity::write, k_origin + 2us, k_origin + 4500ns, 77);
    trace(Activity::put, k_origin + 1us, k_origin + 5us);
    trace(Activity::agreement, k_origin + 5us, k_origin + 6us);
    trace(Activity::sync, k_origin + 5us, k_origin + 6us);
  }
  const Json events = events_of(all);
  std::vector<std::string> names;
  for (const Json& event : events) {
    EXPECT_EQ("X", event["ph"]);
    EXPECT_EQ("calls", event["cat"]);
    EXPECT_NE(std::string::npos, event["args"]["file"].get<std::string>().find("/data/a \"b\"")) << event;
    names.push_back(event["name"]);
  }
  EXPECT_EQ((std::vector<std::string>{"put", "copy", "write", "sync", "agreement"}), names);
  EXPECT_EQ(2.0, events[2]["ts"]);
  EXPECT_EQ(2.5, events[2]["dur"]);
  EXPECT_EQ(77, events[2]["args"]["bytes"]);
}

TEST(Trace, NumbersOverTimeAreCounters) {
  Trace all;
  all.name_file(2, "/data/a.nc");
  {
    const TraceHere here(&all.worker());
    trace_number(Activity::queued_slots, 2, 5);
    trace_number(Activity::queued_slots, 9, 1);
    trace_number(Activity::queued_bytes, Event::k_no_file, 4096);
  }
  const Json events = events_of(all);
  ASSERT_EQ(3u, events.size());
  for (const Json& event : events) EXPECT_EQ("C", event["ph"]);
  EXPECT_EQ("queued slots of a.nc", events[0]["name"]);
  EXPECT_EQ(5, events[0]["args"]["slots"]);
  EXPECT_EQ("queued slots of file 9", events[1]["name"]);
  EXPECT_EQ("queued bytes", events[2]["name"]);
  EXPECT_EQ(4096, events[2]["args"]["bytes"]);
}

}  // namespace
}  // namespace scorpio::observe
