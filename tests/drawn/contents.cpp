#include "contents.h"

#include <functional>
#include <numeric>

namespace scorpio::drawn {

size_t Variable::at(const Place& place) const {
  int64_t at = 0;
  for (size_t d = 0; d < extents.size(); ++d) at = at * extents[d] + place[d];
  return static_cast<size_t>(at);
}

void Variable::grow(const Extents& to) {
  if (to == extents && !elements.empty()) return;
  Variable larger;
  larger.extents = to;
  const int64_t n = std::accumulate(to.begin(), to.end(), int64_t{1}, std::multiplies<>());
  larger.elements.assign(static_cast<size_t>(n), {fill, filled});
  Place place{};
  for (size_t i = 0; i < elements.size(); ++i) {
    auto left = static_cast<int64_t>(i);
    for (size_t d = extents.size(); d-- > 0;) {
      place[d] = left % extents[d];
      left /= extents[d];
    }
    larger.elements[larger.at(place)] = elements[i];
  }
  extents = to;
  elements = std::move(larger.elements);
}

Extents Contents::extents(const Variable& variable) const {
  Extents extents;
  for (const size_t d : variable.dimensions) extents.push_back(dimensions[d].length);
  return extents;
}

void Contents::reach(const Variable& variable, const Extents& to) {
  bool grown = false;
  for (size_t d = 0; d < to.size(); ++d) {
    Dimension& dimension = dimensions[variable.dimensions[d]];
    if (to[d] <= dimension.length) continue;
    dimension.length = to[d];
    grown = true;
  }
  if (!grown) return;
  for (Variable& each : variables) each.grow(extents(each));
}

void Contents::forget() {
  for (Variable& variable : variables) {
    for (Element& element : variable.elements) element.known = false;
  }
}

}  // namespace scorpio::drawn
