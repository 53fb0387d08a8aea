// The failures of calls of this rank that do not communicate: other ranks may not have had them, and return
// them from the next call that communicates. Local; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/fingerprint.h"
#include "pio/base/failure.h"

namespace scorpio_pio {

class LocalFailures {
 public:
  // Of a call that has failed just now; other codes than failures are ignored.
  void add(int code) {
    if (code >= 0) return;
    since_writes_ = true;
    print_ = scorpio_compat::Fingerprint().add(static_cast<int64_t>(print_)).add(code).value();
    if (code >= worst_) return;
    worst_ = code;
    text_ = reason();
  }
  // Is called in each put_var*, which all ranks make.
  void count_put() { ++puts_; }
  // The last one was carried out with values out of range.
  void add_range() {
    out_of_range_.push_back(puts_);
    print_ =
        scorpio_compat::Fingerprint().add(static_cast<int64_t>(print_)).add(PIO_ERANGE).add(puts_).value();
  }
  const std::vector<int64_t>& out_of_range() const { return out_of_range_; }  // ascending
  // A hash of all of them; ranks with the same one have returned the same codes.
  uint64_t print() const { return print_; }
  // Returns the worst code, whose text becomes that of the last failure. `out_of_range`: whether another rank
  // had values out of range.
  int fail_with_worst(bool out_of_range) const {
    if (out_of_range && PIO_ERANGE < worst_)
      return fail(PIO_ERANGE, "values of a put are out of the range of the type of their variable");
    return worst_ == PIO_NOERR ? worst_ : fail_with(worst_, text_);
  }
  // All ranks have returned them.
  void forget() {
    print_ = 0;
    worst_ = PIO_NOERR;
    text_.clear();
    puts_ = 0;
    out_of_range_.clear();
  }
  // Whether there was one since this was asked, when writes were carried out.
  bool take_since_writes() { return std::exchange(since_writes_, false); }

 private:
  bool since_writes_ = false;
  uint64_t print_ = 0;
  int worst_ = PIO_NOERR;
  std::string text_;
  int64_t puts_ = 0;
  std::vector<int64_t> out_of_range_;  // numbers of puts
};

}  // namespace scorpio_pio
