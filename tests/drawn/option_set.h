// Options as pairs of texts. Ends the job if one of them is wrong. Local.
#pragma once

#include <cstdio>

#include "program.h"

namespace scorpio::drawn {

class OptionSet {
 public:
  explicit OptionSet(const Settings& settings) {
    scorpio_options_create(&options_);
    for (const auto& [name, value] : settings) {
      if (scorpio_options_set(options_, name.c_str(), value.c_str()) != SCORPIO_OK) {
        std::fprintf(stderr, "option: %s\n", api_test::last_text().c_str());
        MPI_Abort(MPI_COMM_WORLD, 4);
      }
    }
  }
  ~OptionSet() { scorpio_options_free(options_); }
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;
  const scorpio_options* get() const { return options_; }

 private:
  scorpio_options* options_ = nullptr;
};

}  // namespace scorpio::drawn
