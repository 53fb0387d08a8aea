// Threads with random interleaving: at each access to a shared word the seed determines which of them
// continues. They run one at a time, so that a seed repeats a run exactly and a missing wake-up is found at
// once; or all at once on the cores of the machine, with random delays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace scorpio::test {

enum class Pace {
  one_at_a_time,
  parallel,
};

struct Draw {
  uint64_t seed = 0;
  Pace pace = Pace::one_at_a_time;
  uint64_t one_in = 4;         // of so many accesses one is followed by another thread, or a delay
  bool stores_linger = false;  // one at a time: stores reach the others late, but in order, as on x86
  bool naps_end = false;       // who sleeps wakes by itself now and then, as when a time-out is over
};

// The draws of one run of threads. A run in which no thread can go on, or none has come further for long,
// ends the program with a message that names the seed.
class Interleaving {
 public:
  explicit Interleaving(const Draw& draw);
  ~Interleaving();
  Interleaving(const Interleaving&) = delete;
  Interleaving& operator=(const Interleaving&) = delete;

  // Runs body(i) in thread i of `threads`, until all have returned.
  void run(int threads, const std::function<void(int)>& body);
  // Decisions so far.
  uint64_t draws() const;
  // How often a thread has fallen asleep so far.
  uint64_t sleeps() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// ---- called in the threads of a run; elsewhere without effect ----

// A shared word is about to be accessed.
void shared_access();
// This thread waits for another, which it does not see: another goes on.
void step_aside();
// The thread has come further. `what`: a literal, for the message about a run that does not end.
void come_to(const char* what);

// As a futex: until woken, unless the word has another value.
void sleep_on(std::atomic<uint32_t>& word, uint32_t seen);
void wake_sleepers(std::atomic<uint32_t>& word);

// Stores that linger. False: the store is to be made at once.
bool store_late(void* word, uint64_t value, size_t bytes);
// The value of this thread's own late store.
bool find_late(const void* word, uint64_t& value);
// What lingers reaches the others.
void store_all();

}  // namespace scorpio::test
