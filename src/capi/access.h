// Conversion of a scorpio_access to the types of the library. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/calls/accesses.h"
#include "session/file.h"

namespace scorpio::capi {

// Makes the access a request of this rank; returns its id.
Result<int64_t> post(session::File& file, session::Posts::Kind kind, const scorpio_access& access);

// The accesses of a collective call.
class Accesses final : public session::Accesses {
 public:
  Accesses(session::File& file, std::span<const scorpio_access> accesses, bool reading)
      : session::Accesses(accesses.size(), reading), file_(file), accesses_(accesses) {}

  Given given(size_t i) const override;
  Result<const session::Decomposition*> decomposition(size_t i) const override;
  Status fill_in(size_t i, session::Move& move) const override;
  Result<std::vector<session::Box>> boxes(size_t i) const override;
  Result<int64_t> post(size_t i) const override;

 private:
  session::File& file_;
  std::span<const scorpio_access> accesses_;
};

// Code::argument if the number of accesses is negative, or if the array is NULL.
Status check_accesses(int n, const scorpio_access* accesses);

}  // namespace scorpio::capi
