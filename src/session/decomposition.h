// A decomposition of an I/O system: this rank's part and what all ranks hold together.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "decomp/local_part.h"
#include "plan/survey.h"
#include "session/system.h"

namespace scorpio::session {

class Decomposition {
 public:
  // Collective. `part` may be a failure of this rank; the same status comes back on all.
  static Result<std::unique_ptr<Decomposition>> create(System& system, Result<decomp::LocalPart> part);

  // It may outlive its I/O system.
  bool belongs_to(const System& system) const { return system_identity_ == system.identity(); }
  const decomp::LocalPart& part() const { return part_; }
  const plan::Survey& survey() const { return survey_; }
  // What this rank writes when it writes alone: all it holds; of what it holds more than once, the last.
  const decomp::RunList& own_runs() const { return last_runs_ ? *last_runs_ : part_.runs; }
  // The same on all ranks, another for each decomposition.
  uint64_t number() const { return number_; }
  std::string describe() const;

 private:
  Decomposition(System& system, decomp::LocalPart part, plan::Survey survey);

  uint64_t system_identity_;
  int rank_;
  uint64_t number_;
  decomp::LocalPart part_;
  plan::Survey survey_;
  std::optional<decomp::RunList> last_runs_;  // own_runs(), where they are not all runs of the part
};

}  // namespace scorpio::session
