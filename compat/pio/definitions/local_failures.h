// The failures of calls of this rank that do not communicate: other ranks may not have had them, and return
// them from the next call that communicates. Local; one thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

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
  // Of a put that was carried out with values out of range. `counts`: if they are written, so that ranks
  // without the failure return it.
  void add_range(bool counts) {
    print_ = scorpio_compat::Fingerprint().add(static_cast<int64_t>(print_)).add(PIO_ERANGE).value();
    if (!counts || PIO_ERANGE >= worst_) return;
    worst_ = PIO_ERANGE;
    text_ = "values of a put are out of the range of the type of their variable";
  }
  // A hash of all of them; ranks with the same one have returned the same codes.
  uint64_t print() const { return print_; }
  int worst() const { return worst_; }
  // Returns the worst code, whose text becomes that of the last failure.
  int fail_with_worst() const { return worst_ == PIO_NOERR ? worst_ : fail_with(worst_, text_); }
  // All ranks have returned them.
  void forget() {
    print_ = 0;
    worst_ = PIO_NOERR;
    text_.clear();
  }
  // Whether there was one since this was asked, when writes were carried out.
  bool take_since_writes() { return std::exchange(since_writes_, false); }

 private:
  bool since_writes_ = false;
  uint64_t print_ = 0;
  int worst_ = PIO_NOERR;
  std::string text_;
};

}  // namespace scorpio_pio
