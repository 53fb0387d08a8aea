#include "model/growth.h"

namespace scorpio::model {

std::vector<int> unlimited_dimensions(const Dimensions& dimensions, const Variables& variables) {
  std::vector<int> all = dimensions.unlimited();
  const std::vector<int> own = variables.own_dimensions();
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

int64_t length_of(const Dimensions& dimensions, const Variables& variables, int dimension) {
  return dimension < 0 ? variables.length_of(dimension) : dimensions[dimension].extent;
}

void grow(Dimensions& dimensions, Variables& variables, const Lengths& lengths) {
  bool longer = false;
  for (const auto& [index, length] : lengths) {
    if (index < 0) {
      variables.grow(index, length);
    } else {
      longer = dimensions.grow(index, length) || longer;
    }
  }
  if (longer) variables.follow(dimensions);
}

}  // namespace scorpio::model
