// The failure of a call: kept for get_last_error, and printed if the environment variable SCORPIO_VERBOSE is
// set. Local; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common.h"

namespace scorpio2012 {

// ---- at the beginning and end of each public call ----
void begin_call(const char* name);
void end_call(int64_t code);

// ---- the ranks, file and object of the call, as far as they are known ----
// `rank`: the rank of the caller among those that make the call. Rank 0 prints failures of all of them.
void call_is_of(int rank);
void call_is_on(const std::string& file, const char* object);

// ---- the reason: the first one is kept; each function returns `code` ----
int fail(const std::string& reason, int code = k_failure);
// Uses the reason of the failed call of the public C API.
int fail_natively(int code = k_failure);
// The same for a failure of this rank alone: this rank prints it.
int fail_natively_alone();

// Exists while this rank makes a call that it had skipped: failures in it are reported by the ranks that made
// it.
class InCallOfOthers {
 public:
  InCallOfOthers();
  ~InCallOfOthers();
  InCallOfOthers(const InCallOfOthers&) = delete;
  InCallOfOthers& operator=(const InCallOfOthers&) = delete;

 private:
  std::shared_ptr<void> mine_;
};

// The reason of the present call; empty if there is none yet.
const std::string& reason();
// A failure that another rank has found.
void reason_of(int rank, const std::string& text);

// The failure of the last call that failed: "scorpio_open_file: out.h5: ...". Empty if none failed.
const std::string& last_error();
// Copies it to text[capacity], truncated if necessary, with a final NUL; returns its whole length.
int copy_last_error(char* text, int capacity);

}  // namespace scorpio2012
