// From a variable and a decomposition to what the exchange needs: byte ranges of the file. Local and pure.
#pragma once

#include <vector>

#include "exchange/flow.h"
#include "model/schema.h"
#include "plan/domains.h"
#include "plan/survey.h"

namespace scorpio::transfer {

class VariableFlow {
 public:
  // The file's side of this rank's part is filled in; what it points to, and `survey`, outlive this. Null:
  // this rank takes part with nothing.
  VariableFlow(const model::Variable& variable, const plan::Survey& survey, const plan::DomainRule& rule,
               const exchange::Part* part);
  VariableFlow(const VariableFlow&) = delete;
  VariableFlow& operator=(const VariableFlow&) = delete;

  const exchange::Flow& flow() const { return flow_; }

 private:
  std::vector<plan::ByteRange> touched_;
  std::vector<plan::ByteRange> node_hulls_;
  exchange::Part part_;
  exchange::Flow flow_;
};

}  // namespace scorpio::transfer
