// The counters of one rank, by field and by name. Local; several threads may change a field with add() and
// raise(), and it is read when they have finished.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"
#include "observe/trace.h"

namespace scorpio::observe {

// X(name, unit, meaning). dev/make-tables writes docs/counters.md from here; the program does not contain the
// meanings.
#define SCORPIO_COUNTERS(X)                                                                                  \
  X(opens, "calls", "files that were opened or created")                                                     \
  X(closes, "calls", "files that were closed")                                                               \
  X(reads, "calls", "reads from files")                                                                      \
  X(writes, "calls", "writes to files, data and metadata")                                                   \
  X(bytes_read, "bytes", "bytes read from files")                                                            \
  X(bytes_written, "bytes", "bytes written to files, data and metadata")                                     \
  X(bytes_placed, "bytes", "bytes copied from the caller's memory into staging memory by puts")              \
  X(bytes_fetched, "bytes", "bytes copied from staging memory into the caller's memory by gets")             \
  X(metadata_writes, "calls", "the `writes` that carried metadata")                                          \
  X(metadata_bytes, "bytes", "the `bytes_written` that were metadata")                                       \
  X(syncs, "calls", "calls that made files or folders durable (fsync)")                                      \
  X(aligned_writes, "calls",                                                                                 \
    "writes of data that begin and end at multiples of the block (option `block_bytes`)")                    \
  X(unaligned_writes, "calls", "the other writes of data; the ends of variables are among them")             \
  X(messages, "messages",                                                                                    \
    "messages of the communication phase between nodes, point-to-point or in a collective operation "        \
    "(option `transfer`)")                                                                                   \
  X(collective_transfers, "calls",                                                                           \
    "collective operations in which this rank took part to exchange `messages` (option `transfer`), two "    \
    "for each round: of lengths, and of messages; a read has two of each")                                   \
  X(range_bytes, "bytes",                                                                                    \
    "bytes that this rank received to learn which parts of a file the requests of a `scorpio_wait` access "  \
    "(option `ranges`)")                                                                                     \
  X(message_bytes, "bytes", "bytes sent in `messages`")                                                      \
  X(message_data_bytes, "bytes",                                                                             \
    "the `message_bytes` that were elements; the others describe their locations")                           \
  X(message_copies, "bytes",                                                                                 \
    "the `message_data_bytes` that were copied into a buffer for a message, or out of one")                  \
  X(planned_messages, "messages",                                                                            \
    "messages that the plans of the operations contain, counted by the I/O ranks that take part in them; "   \
    "the sum over all ranks is that of `messages`")                                                          \
  X(agreements, "calls", "reductions of a few numbers over all ranks, such as the status of a call")         \
  X(operations, "calls", "puts, gets and combined requests that were carried out")                           \
  X(rounds, "rounds", "batches of full slots that an I/O rank wrote; each batch is one write or several")    \
  X(waits, "waits",                                                                                          \
    "sleeps of a rank that waits for staging memory or for other ranks, except in agreements")               \
  X(staging_bytes, "bytes", "staging memory reserved")                                                       \
  X(staging_peak_bytes, "bytes",                                                                             \
    "the most staging memory that was reserved at one time; the pages of this memory are allocated when it " \
    "is reserved")                                                                                           \
  X(stale_found, "files", "temporary files of stopped runs that were replaced")                              \
  X(missing_bytes, "bytes",                                                                                  \
    "data that the headers of opened files describe beyond the end of the file; they are read as "           \
    "zeros")                                                                                                 \
  X(retries, "calls", "system calls that were continued after an interruption or a short transfer")          \
  X(fallback_reads, "calls",                                                                                 \
    "reads of an I/O rank through the format's library, because only that library can read the variable")    \
  X(relocated, "variables", "variables for which the format's library chose another address than planned")   \
  X(time_init_ns, "ns", "time in the creation of the I/O system")                                            \
  X(time_open_ns, "ns", "time in creating and opening files")                                                \
  X(time_exchange_ns, "ns", "time of copying to and from staging memory")                                    \
  X(time_io_ns, "ns", "time in reads and writes of data")                                                    \
  X(lossless_chunks, "chunks",                                                                               \
    "chunks that were stored without their lossy filter (zfp), because it would have exceeded its error "    \
    "bound or changed missing values, made nothing smaller, or would have changed elements a second time")   \
  X(encoded_for_others, "chunks",                                                                            \
    "chunks that a rank encoded for an I/O rank of its node while it waited (option `shared_encoding`)")     \
  X(decoded_for_others, "chunks",                                                                            \
    "chunks that a rank decoded for an I/O rank of its node while it waited (option `shared_encoding`)")     \
  X(time_encode_ns, "ns", "the part of `time_io_ns` and `time_close_ns` in which chunks were encoded")       \
  X(time_wait_ns, "ns", "time of waiting for staging memory or for other ranks, except in agreements")       \
  X(time_agree_ns, "ns",                                                                                     \
    "time in `agreements`; a part of it is waiting for ranks that enter the call later")                     \
  X(time_close_ns, "ns", "time in closing files and in their synchronisation points")                        \
  X(time_metadata_ns, "ns", "time of building, reading and writing metadata")

struct Counters {
#define SCORPIO_COUNTER_FIELD(name, unit, meaning) uint64_t name = 0;
  SCORPIO_COUNTERS(SCORPIO_COUNTER_FIELD)
#undef SCORPIO_COUNTER_FIELD
};

// The names of all counters in the order of the fields, NULL-terminated; static.
const char* const* counter_names();

// The number of counters.
#define SCORPIO_COUNTER_ONE(name, unit, meaning) +1
inline constexpr size_t k_counters = 0 SCORPIO_COUNTERS(SCORPIO_COUNTER_ONE);
#undef SCORPIO_COUNTER_ONE
std::array<uint64_t, k_counters> values_of(const Counters& counters);
Counters counters_of(std::span<const uint64_t, k_counters> values);
// Adds now - before to each counter of `total`.
void add_gain(Counters& total, const Counters& now, const Counters& before);

// Code::name if there is no such counter.
Result<uint64_t*> find_counter(Counters& counters, std::string_view name);

// May be used while other threads call add() and raise() for the same field.
inline void add(uint64_t& field, uint64_t amount) {
  std::atomic_ref<uint64_t>(field).fetch_add(amount, std::memory_order_relaxed);
}

// Makes `field` at least `value`.
inline void raise(uint64_t& field, uint64_t value) {
  std::atomic_ref<uint64_t> shared(field);
  uint64_t seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

// Adds the nanoseconds from its construction to its destruction to a counter, and records them in the trace
// of this thread as an activity.
class Timer {
 public:
  explicit Timer(uint64_t& field, Activity what = Activity::none, uint64_t value = 0)
      : field_(field), what_(what), value_(value), start_(TraceClock::now()) {}
  ~Timer() {
    const TraceClock::time_point end = TraceClock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(end - start_);
    add(field_, static_cast<uint64_t>(passed.count()));
    if (what_ != Activity::none) trace(what_, start_, end, value_);
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  uint64_t& field_;
  const Activity what_;
  const uint64_t value_;
  const TraceClock::time_point start_;
};

}  // namespace scorpio::observe
