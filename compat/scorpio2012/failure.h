// The failure of a call: kept for get_last_error, and printed if the environment variable SCORPIO_VERBOSE is
// set. Local; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common.h"

namespace scorpio2012 {

// ---- around each public call ----
void begin_call(const char* name);
void end_call(int64_t code);

// ---- what the call is about, as far as it is known ----
// `rank`: the rank of the caller among those that make the call. Rank 0 prints failures of all of them.
void call_is_of(int rank);
void call_is_on(const std::string& file, const char* object);

// ---- the reason: the first one counts; each returns `code` ----
int fail(const std::string& reason, int code = k_failure);
// The reason of the native call that has just failed.
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

// The reason of the present call; empty: none yet.
const std::string& reason();
// A failure that another rank has found.
void reason_of(int rank, const std::string& text);

// Of the last call that failed: "scorpio_open_file: out.h5: ...". Empty: none did.
const std::string& last_error();
// The same in text[capacity], cut to fit with a final NUL; its whole length.
int copy_last_error(char* text, int capacity);

}  // namespace scorpio2012
