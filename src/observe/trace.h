// What a thread did and when, for the trace of an I/O system (option trace). Local; one thread records, and
// another one reads after it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace scorpio::observe {

// In calls, in the parts of a call, in a worker, and numbers over time.
enum class Activity : uint8_t {
  none,  // is not recorded
  put,
  get,
  post,
  wait,
  sync,
  other_call,
  open,
  end,
  copy,
  back_pressure,
  agreement,
  write,
  read,
  encode,
  metadata,
  send,
  receive,
  queued_slots,
  queued_bytes,
};
inline constexpr std::array k_activities = {
    "",       "put",      "get",  "post",          "wait",         "sync",        "other call",
    "open",   "end",      "copy", "back-pressure", "agreement",    "write",       "read",
    "encode", "metadata", "send", "receive",       "queued slots", "queued bytes"};

using TraceClock = std::chrono::steady_clock;

struct Event {
  static constexpr uint64_t k_no_file = ~uint64_t{0};

  TraceClock::time_point begin{}, end{};
  uint64_t file = k_no_file;  // its number, the same on all ranks
  uint64_t value = 0;  // bytes of a write or a message; of numbers over time, the number from `begin` on
  Activity what = Activity::none;
};

// The events of one thread in memory that is allocated once: the first ones are kept, later ones counted.
class Track {
 public:
  explicit Track(size_t events) : events_(events) {}

  void add(const Event& event) noexcept {
    const size_t n = used_.load(std::memory_order_relaxed);
    if (n > 0 && continues(events_[n - 1], event)) {
      events_[n - 1].end = event.end;
      return;
    }
    if (n == events_.size()) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    events_[n] = event;
    used_.store(n + 1, std::memory_order_release);
  }
  size_t size() const { return used_.load(std::memory_order_acquire); }
  const Event& at(size_t i) const { return events_[i]; }
  // The number of events that were not kept.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  // A rank that waits looks around very often.
  static bool continues(const Event& last, const Event& event) {
    return event.what == Activity::back_pressure && last.what == event.what && last.file == event.file &&
           event.begin - last.end < std::chrono::milliseconds(1);
  }

  std::vector<Event> events_;
  std::atomic<size_t> used_ = 0;
  std::atomic<uint64_t> dropped_ = 0;
};

// The tracks of a rank and the names of its files.
class Trace {
 public:
  static constexpr size_t k_events = 16384;      // of each track
  static constexpr size_t k_named_files = 1000;  // the names of later files are not kept

  explicit Trace(size_t events = k_events)
      : events_(events), calls_(events), worker_(events), writer_(events) {}

  Track& calls() { return calls_; }
  const Track& calls() const { return calls_; }
  Track& worker() { return worker_; }
  const Track& worker() const { return worker_; }
  Track& writer() { return writer_; }
  const Track& writer() const { return writer_; }
  // That of the progress thread, whose memory is allocated with the first call; null before.
  Track& make_progress() {
    if (progress_ == nullptr) progress_ = std::make_unique<Track>(events_);
    return *progress_;
  }
  const Track* progress() const { return progress_.get(); }
  void name_file(uint64_t number, const std::string& path) {
    if (files_.size() < k_named_files) files_.emplace_back(number, path);
  }
  // The path of the file; "file <number>" if it is not known.
  std::string name_of(uint64_t number) const;

 private:
  const size_t events_;  // of each track
  Track calls_, worker_, writer_;
  std::unique_ptr<Track> progress_;
  std::vector<std::pair<uint64_t, std::string>> files_;
};

// While an object exists, this thread records its activities on `track` as those for a file. Null: none are
// recorded.
class TraceHere {
 public:
  explicit TraceHere(Track* track, uint64_t file = Event::k_no_file);
  ~TraceHere();
  TraceHere(const TraceHere&) = delete;
  TraceHere& operator=(const TraceHere&) = delete;

 private:
  Track* before_;
  uint64_t file_before_;
};

// The same track, for another file.
class TraceFile {
 public:
  explicit TraceFile(uint64_t file);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

 private:
  uint64_t before_;
};

// Whether this thread records.
bool records();
// Records an activity that ends now, if this thread records.
void trace(Activity what, TraceClock::time_point begin, TraceClock::time_point end, uint64_t value = 0);
// Records a number that holds from now on, if this thread records.
void trace_number(Activity what, uint64_t file, uint64_t value);

}  // namespace scorpio::observe
