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

// The type of the caller's elements: text and opaque elements have the length of those of the variable.
// Code::memory if there is no memory for another failure.
Result<model::ElementType> memory_type(session::File& file, int variable, scorpio_type type);
// That of a handle that the caller passes, or null for NULL. A failure if it has been released.
Result<const session::Decomposition*> decomposition_of(const scorpio_decomp* decomp);

// Makes the access a request of this rank; returns its id.
Result<int64_t> post(session::File& file, session::RequestCalls::Kind kind, const scorpio_access& access);

// The accesses of a collective call.
class Accesses final : public session::Accesses {
 public:
  Accesses(session::File& file, std::span<const scorpio_access> accesses, bool reading)
      : session::Accesses(accesses.size(), reading), file_(file), accesses_(accesses) {}

  Given given(size_t i) const override;
  Result<const session::Decomposition*> decomposition(size_t i) const override;
  Result<session::Move> move(size_t i) const override;
  Result<std::vector<session::Box>> boxes(size_t i) const override;
  Result<int64_t> post(size_t i) const override;

 private:
  session::File& file_;
  std::span<const scorpio_access> accesses_;
};

// Code::argument if the number of accesses is negative, or if the array is NULL.
Status check_accesses(int n, const scorpio_access* accesses);

}  // namespace scorpio::capi
