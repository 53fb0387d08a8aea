// The lengths of the dimensions that grow: the unlimited ones with names, and each own_dimension() of a
// variable. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "model/dimensions.h"
#include "model/variables.h"

namespace scorpio::model {

// The same on ranks that made the same definitions: those with names, and then each own_dimension().
std::vector<int> unlimited_dimensions(const Dimensions& dimensions, const Variables& variables);
// The present length of a dimension, which may be an own_dimension().
int64_t length_of(const Dimensions& dimensions, const Variables& variables, int dimension);
// Increases the unlimited dimensions to at least these lengths, and the extents of the variables with them.
void grow(Dimensions& dimensions, Variables& variables, const Lengths& lengths);

}  // namespace scorpio::model
