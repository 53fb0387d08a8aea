#include "transfer/variable_flow.h"

namespace scorpio::transfer {

namespace {

std::vector<plan::ByteRange> to_bytes(const std::vector<decomp::Interval>& intervals, uint64_t begin,
                                      uint64_t size) {
  std::vector<plan::ByteRange> ranges;
  ranges.reserve(intervals.size());
  for (const decomp::Interval& i : intervals) {
    ranges.push_back(
        {begin + static_cast<uint64_t>(i.begin) * size, begin + static_cast<uint64_t>(i.end) * size});
  }
  return ranges;
}

}  // namespace

VariableFlow::VariableFlow(const model::Variable& variable, const plan::Survey& survey,
                           const plan::DomainRule& rule, const exchange::Part* part) {
  // Without an address the variable is read through its library, in a byte space of its own.
  const bool placed = variable.storage == model::Storage::contiguous && variable.address.has_value();
  const uint64_t begin = placed ? *variable.address : 0;
  touched_ = to_bytes(survey.coverage, begin, variable.type.size_bytes);
  node_hulls_ = to_bytes(survey.node_hulls, begin, variable.type.size_bytes);
  flow_.rule = rule;
  flow_.variable = {begin, begin + variable.bytes()};
  flow_.touched = touched_;
  flow_.exact = survey.exact;
  flow_.node_hulls = node_hulls_;
  if (part == nullptr) return;
  part_ = *part;
  part_.begin = begin;
  part_.element_bytes = variable.type.size_bytes;
  flow_.parts = {&part_, 1};
}

}  // namespace scorpio::transfer
