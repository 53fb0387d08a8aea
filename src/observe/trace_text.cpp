#include "observe/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <vector>

namespace scorpio::observe {

namespace {

// The threads of a rank in the trace, by their numbers there.
constexpr int k_calls = 0, k_worker = 1, k_writer = 2, k_progress = 3;
constexpr std::array k_threads = {"calls", "worker", "writer", "progress"};

const Track& track_of(const Trace& trace, int thread) {
  if (thread == k_calls) return trace.calls();
  if (thread == k_progress) return *trace.progress();
  return thread == k_worker ? trace.worker() : trace.writer();
}

// A path may contain any bytes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// In microseconds.
std::string time_text(std::chrono::nanoseconds time) {
  const int64_t ns = time.count();
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", std::abs(ns) / 1000, std::abs(ns) % 1000);
}

bool is_number(Activity what) { return what == Activity::queued_slots || what == Activity::queued_bytes; }

std::string named_file(const Trace& trace, const Event& event) {
  return event.file == Event::k_no_file ? std::string() : trace.name_of(event.file);
}

std::string number_text(const Trace& trace, const TraceOf& of, const Event& event) {
  const std::string file = named_file(trace, event);
  const std::string name = std::string(k_activities[static_cast<size_t>(event.what)]) +
                           (file.empty() ? "" : " of " + file.substr(file.rfind('/') + 1));
  return fmt::format(R"(,{}{{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"{}":{}}}}})", '\n', of.rank,
                     time_text(event.begin - of.origin), quoted(name),
                     event.what == Activity::queued_slots ? "slots" : "bytes", event.value);
}

std::string activity_text(const Trace& trace, const TraceOf& of, int thread, const Event& event) {
  const std::string file = named_file(trace, event);
  std::string arguments;
  if (!file.empty()) arguments = fmt::format(R"("file":{})", quoted(file));
  if (event.value > 0) arguments += fmt::format(R"({}"bytes":{})", file.empty() ? "" : ",", event.value);
  return fmt::format(
      R"(,{}{{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":"{}","args":{{{}}}}})", '\n',
      of.rank, thread, time_text(event.begin - of.origin), time_text(event.end - event.begin),
      k_threads[static_cast<size_t>(thread)], k_activities[static_cast<size_t>(event.what)], arguments);
}

void add_track(std::string& text, const Trace& trace, const TraceOf& of, int thread) {
  const Track& track = track_of(trace, thread);
  std::vector<size_t> order(track.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Activities are added when they end: of two with the same times, the later one contains the other.
  std::ranges::sort(order, [&track](size_t i, size_t j) {
    const Event &a = track.at(i), &b = track.at(j);
    return std::tuple(a.begin, b.end, j) < std::tuple(b.begin, a.end, i);
  });
  for (const size_t i : order) {
    const Event& event = track.at(i);
    text += is_number(event.what) ? number_text(trace, of, event) : activity_text(trace, of, thread, event);
  }
}

std::string name_of_thread(const Trace& trace, const TraceOf& of, int thread) {
  const Track& track = track_of(trace, thread);
  return fmt::format(
      R"(,{}{{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"{}","events":{},"dropped":{}}}}})",
      '\n', of.rank, thread, k_threads[static_cast<size_t>(thread)], track.size(), track.dropped());
}

}  // namespace

std::string trace_events(const Trace& trace, const TraceOf& of) {
  std::string text =
      fmt::format(R"(,{}{{"ph":"M","pid":{},"name":"process_name","args":{{"name":"rank {}{}"}}}})", '\n',
                  of.rank, of.rank, of.is_io_rank ? " (I/O rank)" : "");
  std::vector<int> threads = {k_calls};
  if (of.is_io_rank) threads.push_back(k_worker);
  if (trace.writer().size() > 0) threads.push_back(k_writer);  // only files with chunks have one
  if (trace.progress() != nullptr) threads.push_back(k_progress);
  for (const int thread : threads) text += name_of_thread(trace, of, thread);
  for (const int thread : threads) add_track(text, trace, of, thread);
  return text;
}

std::string trace_head(const std::string& version) {
  return fmt::format(R"({{"displayTimeUnit":"ms","otherData":{{"scorpio":{},"schema":1}},"traceEvents":[)",
                     quoted(version));
}

std::string trace_end() { return "\n]}\n"; }

}  // namespace scorpio::observe
