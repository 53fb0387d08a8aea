// Options of the public interface, from pairs of texts. Ends the job if one of them is wrong. Local.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio::test {

using Settings = std::vector<std::pair<std::string, std::string>>;  // names and values

class OptionList {
 public:
  explicit OptionList(const Settings& settings) {
    need(scorpio_options_create(&options_));
    for (const auto& [name, value] : settings)
      need(scorpio_options_set(options_, name.c_str(), value.c_str()));
  }
  ~OptionList() { scorpio_options_free(options_); }
  OptionList(const OptionList&) = delete;
  OptionList& operator=(const OptionList&) = delete;
  const scorpio_options* get() const { return options_; }

 private:
  static void need(int code) {
    if (code == SCORPIO_OK) return;
    scorpio_error error{};
    scorpio_error_last(&error);
    std::fprintf(stderr, "options of a test: %s\n", error.text);
    std::abort();
  }

  scorpio_options* options_ = nullptr;
};

}  // namespace scorpio::test
