// A decomposition of an I/O system: this rank's part and what all ranks hold together.
#pragma once

#include <memory>
#include <string>

#include "decomp/decomposition.h"
#include "plan/survey.h"
#include "session/iosystem.h"

namespace scorpio::session {

class Decomposition {
 public:
  // Collective. `part` may be a failure of this rank; the same status comes back on all.
  static Result<std::unique_ptr<Decomposition>> create(IoSystem& system, Result<decomp::LocalPart> part);

  // It may outlive its I/O system.
  bool belongs_to(const IoSystem& system) const { return system_identity_ == system.identity(); }
  const decomp::LocalPart& part() const { return part_; }
  const plan::Survey& survey() const { return survey_; }
  // The same on all ranks, another for each decomposition.
  uint64_t number() const { return number_; }
  std::string describe() const;

 private:
  Decomposition(IoSystem& system, decomp::LocalPart part, plan::Survey survey);

  uint64_t system_identity_;
  int rank_;
  uint64_t number_;
  decomp::LocalPart part_;
  plan::Survey survey_;
};

}  // namespace scorpio::session
