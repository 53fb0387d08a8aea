// Why a call fails: kept for get_last_error, and printed where environment SCORPIO_VERBOSE asks for it.
// Local; one thread.
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
// `rank`: of the caller among those that call together. Rank 0 prints what all of them know.
void call_is_of(int rank);
void call_is_on(const std::string& file, const char* object);

// ---- the reason: the first one counts; each returns `code` ----
int fail(const std::string& reason, int code = k_failure);
// That of the native call that has just failed.
int fail_natively(int code = k_failure);
// The same where no other rank need fail: this rank prints.
int fail_natively_alone();

// Lives while this rank takes part in a call that others make: what fails there is told there.
class InCallOfOthers {
 public:
  InCallOfOthers();
  ~InCallOfOthers();
  InCallOfOthers(const InCallOfOthers&) = delete;
  InCallOfOthers& operator=(const InCallOfOthers&) = delete;

 private:
  std::shared_ptr<void> mine_;
};

// The reason of the call that runs; empty: none yet.
const std::string& reason();
// What another rank found wrong.
void reason_of(int rank, const std::string& text);

// Of the last call that failed: "scorpio_open_file: out.h5: ...". Empty: none did.
const std::string& last_error();
// The same in text[capacity], cut to fit with a final NUL; its whole length.
int copy_last_error(char* text, int capacity);

}  // namespace scorpio2012
