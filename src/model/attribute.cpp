#include "model/attribute.h"

#include <algorithm>

namespace scorpio::model {

namespace {

template <typename Iterator>
std::vector<Iterator> ordered(Iterator begin, Iterator end) {
  std::vector<Iterator> entries;
  for (; begin != end; ++begin) entries.push_back(begin);
  std::stable_sort(entries.begin(), entries.end(),
                   [](Iterator a, Iterator b) { return a->second.order < b->second.order; });
  return entries;
}

}  // namespace

std::vector<Attributes::iterator> in_order(Attributes& attributes) {
  return ordered(attributes.begin(), attributes.end());
}

std::vector<Attributes::const_iterator> in_order(const Attributes& attributes) {
  return ordered(attributes.begin(), attributes.end());
}

}  // namespace scorpio::model
