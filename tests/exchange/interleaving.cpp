#include "exchange/interleaving.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace scorpio::test {

using namespace std::chrono_literals;

namespace {

constexpr int k_most_threads = 64;
// While no thread comes further: it takes so many steps, and so long. (Some wait for a time to be over.)
constexpr uint64_t k_most_steps_aside = 400000;
constexpr std::chrono::seconds k_longest{10};
constexpr size_t k_most_late_stores = 6;
// Where naps end by themselves: of so many steps aside one ends the nap of another thread.
constexpr uint64_t k_steps_of_a_nap = 64;

#ifdef __SANITIZE_THREAD__
// Threads that take turns must not look ordered to the sanitizer, or it finds no race.
constexpr auto k_acquire = std::memory_order_relaxed, k_release = std::memory_order_relaxed;
#else
constexpr auto k_acquire = std::memory_order_acquire, k_release = std::memory_order_release;
#endif

// False: no thread woke it for a time in which all others must have done something.
bool wait_for_change(std::atomic<uint32_t>& word, uint32_t seen) {
  const timespec long_time{60, 0};
  return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, &long_time, nullptr, 0) == 0 ||
         errno != ETIMEDOUT;
}

void wake(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

int64_t now_ns() { return std::chrono::steady_clock::now().time_since_epoch() / 1ns; }

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Threads that take turns run on one CPU while this lives: to hand over to a thread on another CPU, which has
// to wake up for it, takes several times as long.
class OnOneCpu {
 public:
  explicit OnOneCpu(bool wanted) {
    const int here = sched_getcpu();
    if (!wanted || here < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(here), &one);
    bound_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OnOneCpu() {
    if (bound_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  cpu_set_t before_;
  bool bound_ = false;
};

struct LateStore {
  void* word;
  uint64_t value;
  size_t bytes;

  void make() const {
    if (bytes == sizeof(uint64_t))
      return static_cast<std::atomic<uint64_t>*>(word)->store(value, std::memory_order_release);
    static_cast<std::atomic<uint32_t>*>(word)->store(static_cast<uint32_t>(value), std::memory_order_release);
  }
};

}  // namespace

// Threads that take turns share it, one after the other.
struct Interleaving::State {
  enum Activity : uint32_t { ready, asleep, ended };
  struct Thread {
    std::atomic<uint32_t> turn{0};
    std::atomic<uint32_t> activity{ready};
    std::atomic<const void*> word{nullptr};  // that it sleeps on
    std::atomic<const char*> place{"the beginning"};
    std::atomic<uint64_t> random{0};  // parallel
  };

  explicit State(const Draw& d) : draw(d), random(mixed(d.seed + 1)) {}

  uint64_t next(std::atomic<uint64_t>& stream) {
    const uint64_t at = stream.load(std::memory_order_relaxed) + 0x9e3779b97f4a7c15u;
    stream.store(at, std::memory_order_relaxed);
    return mixed(at);
  }
  void count() { draws.fetch_add(1, std::memory_order_relaxed); }

  // Another thread, or the same one, goes on; returns when it is this one's turn again.
  void hand_over(int me) {
    std::array<int, k_most_threads> able{};
    size_t n = 0;
    for (int i = 0; i < threads_used; ++i) {
      if (threads[static_cast<size_t>(i)].activity.load(k_acquire) == ready) able[n++] = i;
    }
    if (n == 0) {
      if (all_ended()) return;
      if (!draw.naps_end) give_up("every rank that has not returned is asleep");
      count_step();
      able[n++] = end_a_nap();
    }
    const int next_one = able[next(random) % n];
    if (next_one == me) return;
    Thread& other = threads[static_cast<size_t>(next_one)];
    other.turn.store(1, k_release);
    wake(other.turn);
    if (threads[static_cast<size_t>(me)].activity.load(std::memory_order_relaxed) != ended) await_turn(me);
  }

  // Of a thread that is asleep; -1: none is.
  int end_a_nap() {
    std::array<int, k_most_threads> sleeping{};
    size_t n = 0;
    for (int i = 0; i < threads_used; ++i) {
      if (threads[static_cast<size_t>(i)].activity.load(k_acquire) == asleep) sleeping[n++] = i;
    }
    if (n == 0) return -1;
    const int woken = sleeping[next(random) % n];
    threads[static_cast<size_t>(woken)].activity.store(ready, k_release);
    return woken;
  }

  // A thread has looked for something in vain.
  void count_step() {
    const uint64_t steps = steps_aside.fetch_add(1, std::memory_order_relaxed) + 1;
    if (steps % k_most_steps_aside == 0 &&
        now_ns() > came_ns.load(std::memory_order_relaxed) + k_longest / 1ns)
      give_up("no rank has come further for long");
  }

  void await_turn(int me) {
    std::atomic<uint32_t>& turn = threads[static_cast<size_t>(me)].turn;
    while (turn.load(k_acquire) == 0) wait_for_change(turn, 0);
    turn.store(0, std::memory_order_relaxed);
  }

  bool all_ended() const {
    for (int i = 0; i < threads_used; ++i) {
      if (threads[static_cast<size_t>(i)].activity.load(k_acquire) != ended) return false;
    }
    return true;
  }

  [[noreturn]] void give_up(const char* why) const {
    static constexpr const char* k_names[] = {"ready", "asleep", "ended"};
    std::fprintf(stderr, "seed %llu: %s after %llu draws\n", static_cast<unsigned long long>(draw.seed), why,
                 static_cast<unsigned long long>(draws.load()));
    for (int i = 0; i < threads_used; ++i) {
      const Thread& thread = threads[static_cast<size_t>(i)];
      std::fprintf(stderr, "  rank %d: %s, at %s\n", i, k_names[thread.activity.load()], thread.place.load());
    }
    std::fflush(stderr);
    std::_Exit(EXIT_FAILURE);
  }

  Draw draw;
  std::atomic<uint64_t> random;
  std::array<Thread, k_most_threads> threads;
  int threads_used = 0;
  std::atomic<uint64_t> draws{0}, sleeps{0};
  std::atomic<uint64_t> steps_aside{0};  // since some thread came further
  std::atomic<int64_t> came_ns{0};       // when that was
};

namespace {

thread_local Interleaving::State* current = nullptr;  // that this thread takes part in
thread_local int my_number = 0;
thread_local std::vector<LateStore>* late_stores = nullptr;

bool takes_turns() { return current != nullptr && current->draw.pace == Pace::one_at_a_time; }

Interleaving::State::Thread& me() { return current->threads[static_cast<size_t>(my_number)]; }

void make_oldest_store() {
  late_stores->front().make();
  late_stores->erase(late_stores->begin());
}

// So that threads that run at once meet in other places.
void delay(uint64_t drawn) {
  if (drawn % 4 == 0) {
    sched_yield();
    return;
  }
  std::atomic<uint64_t> turns{drawn % 256};
  while (turns.load(std::memory_order_relaxed) > 0) turns.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace

Interleaving::Interleaving(const Draw& draw) : state_(std::make_unique<State>(draw)) {}
Interleaving::~Interleaving() = default;

uint64_t Interleaving::draws() const { return state_->draws.load(); }
uint64_t Interleaving::sleeps() const { return state_->sleeps.load(); }

void Interleaving::run(int threads, const std::function<void(int)>& body) {
  State& state = *state_;
  state.threads_used = threads;
  const OnOneCpu on_one_cpu(state.draw.pace == Pace::one_at_a_time);  // the threads inherit it
  std::vector<std::thread> started;
  for (int i = 0; i < threads; ++i) {
    State::Thread& thread = state.threads[static_cast<size_t>(i)];
    thread.activity.store(State::ready);
    thread.random.store(mixed(state.draw.seed + static_cast<uint64_t>(i)));
  }
  for (int i = 0; i < threads; ++i) {
    started.emplace_back([&state, &body, i] {
      std::vector<LateStore> stores;
      stores.reserve(k_most_late_stores + 1);
      current = &state;
      my_number = i;
      late_stores = &stores;
      if (takes_turns()) state.await_turn(i);
      body(i);
      store_all();
      come_to("its end");
      me().activity.store(State::ended, k_release);
      if (takes_turns()) state.hand_over(i);
      current = nullptr;
    });
  }
  if (state.draw.pace == Pace::one_at_a_time) {
    state.threads[0].turn.store(1, k_release);
    wake(state.threads[0].turn);
  }
  for (std::thread& thread : started) thread.join();
}

void shared_access() {
  if (current == nullptr) return;
  current->count();
  if (!takes_turns()) {
    const uint64_t drawn = current->next(me().random);
    if (drawn % current->draw.one_in == 0) delay(drawn / current->draw.one_in);
    return;
  }
  const uint64_t drawn = current->next(current->random);
  if (!late_stores->empty() && (drawn >> 32) % 4 == 0) make_oldest_store();
  if (drawn % current->draw.one_in == 0) current->hand_over(my_number);
}

void step_aside() {
  if (current == nullptr) return;
  current->count();
  store_all();
  current->count_step();
  if (!takes_turns()) {
    sched_yield();
    return;
  }
  if (current->draw.naps_end && current->next(current->random) % k_steps_of_a_nap == 0)
    (void)current->end_a_nap();
  current->hand_over(my_number);
}

void come_to(const char* what) {
  if (current == nullptr) return;
  me().place.store(what, std::memory_order_relaxed);
  current->steps_aside.store(0, std::memory_order_relaxed);
  current->came_ns.store(now_ns(), std::memory_order_relaxed);
}

void sleep_on(std::atomic<uint32_t>& word, uint32_t seen) {
  if (current == nullptr) return;
  store_all();
  current->sleeps.fetch_add(1, std::memory_order_relaxed);
  if (!takes_turns()) {
    if (current->draw.naps_end) {
      current->count_step();
      sched_yield();
    } else if (!wait_for_change(word, seen)) {
      current->give_up("a rank was not woken for a minute");
    }
    return;
  }
  if (word.load(std::memory_order_relaxed) != seen) return;
  me().word.store(&word, std::memory_order_relaxed);
  me().activity.store(Interleaving::State::asleep, k_release);
  current->hand_over(my_number);
}

void wake_sleepers(std::atomic<uint32_t>& word) {
  if (current == nullptr) return;
  store_all();
  if (!takes_turns()) return wake(word);
  for (int i = 0; i < current->threads_used; ++i) {
    Interleaving::State::Thread& thread = current->threads[static_cast<size_t>(i)];
    if (thread.activity.load(k_acquire) == Interleaving::State::asleep &&
        thread.word.load(std::memory_order_relaxed) == &word)
      thread.activity.store(Interleaving::State::ready, k_release);
  }
}

bool store_late(void* word, uint64_t value, size_t bytes) {
  if (!takes_turns() || !current->draw.stores_linger) return false;
  if (late_stores->size() == k_most_late_stores) make_oldest_store();
  late_stores->push_back({word, value, bytes});
  return true;
}

bool find_late(const void* word, uint64_t& value) {
  if (late_stores == nullptr) return false;
  for (auto at = late_stores->rbegin(); at != late_stores->rend(); ++at) {
    if (at->word != word) continue;
    value = at->value;
    return true;
  }
  return false;
}

void store_all() {
  if (late_stores == nullptr) return;
  for (const LateStore& store : *late_stores) store.make();
  late_stores->clear();
}

}  // namespace scorpio::test
