// Options of the native interface, which are freed at the end of their scope; for the compatibility
// libraries. Local.
#pragma once

#include <string>

#include "scorpio/scorpio.h"

namespace scorpio_compat {

class OptionSet {
 public:
  OptionSet() : code_(scorpio_options_create(&options_)) {}
  ~OptionSet() { (void)scorpio_options_free(options_); }
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  OptionSet& set(const char* name, const std::string& value) {
    if (code_ == SCORPIO_OK) code_ = scorpio_options_set(options_, name, value.c_str());
    return *this;
  }
  // The code of the first call that failed; no option is set after it.
  int code() const { return code_; }
  const scorpio_options* get() const { return options_; }

 private:
  scorpio_options* options_ = nullptr;
  int code_;
};

}  // namespace scorpio_compat
