// From a variable and a decomposition to what the exchange needs: byte ranges of the file. Local and pure.
#pragma once

#include <vector>

#include "codec/convert.h"
#include "decomp/runs.h"
#include "exchange/channel.h"
#include "model/schema.h"
#include "plan/domains.h"
#include "plan/survey.h"

namespace scorpio::transfer {

class VariableFlow {
 public:
  // `survey` and `conversion` outlive this. `runs`: null when this rank takes part with nothing.
  VariableFlow(const model::Variable& variable, const plan::Survey& survey, const plan::DomainRule& rule,
               const decomp::RunList* runs, const codec::Conversion& conversion);
  VariableFlow(const VariableFlow&) = delete;
  VariableFlow& operator=(const VariableFlow&) = delete;

  const exchange::Flow& flow() const { return flow_; }

 private:
  std::vector<plan::ByteRange> touched_;
  std::vector<plan::ByteRange> node_hulls_;
  exchange::Flow flow_;
};

}  // namespace scorpio::transfer
