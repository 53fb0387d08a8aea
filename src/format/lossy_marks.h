// The attributes of a variable that tell how far its elements in the file may be from those that were put:
// the bound that was asked for and the largest error that was reached. A variable has those of errors from
// its definition on; without them (of another program, or removed) they are not known, and remain so. Local;
// pure.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/schema.h"
#include "storage/chunk_access.h"

namespace scorpio::format {

// In the unit of the elements: the tolerance of zfp, and the largest error of zfp, of rounding, or their sum.
inline constexpr const char* k_bound_absolute = "lossy_bound_absolute";
inline constexpr const char* k_error_absolute = "lossy_error_absolute";
// Relative to the magnitude of each element, of rounding.
inline constexpr const char* k_bound_relative = "lossy_bound_relative";
inline constexpr const char* k_error_relative = "lossy_error_relative";
// The chunks that are stored without their lossy filter; not there if there are none.
inline constexpr const char* k_lossless_chunks = "lossless_chunks";

// The attributes that the filters and the quantisation of a variable without data call for: bounds, and
// errors of 0.
std::map<std::string, double> lossy_marks(const model::Variable& variable);
model::Attribute number_as_attribute(double number);

// Sets the attributes of a variable that has them to what was reached, where that is more than before. This
// is not a definition. Returns whether the variable has its first chunks without their lossy filter.
bool tell_loss(model::Schema& schema, const storage::LossEntry& loss);

// What the attributes of all variables that have them tell, as words whose order is that of numbers. The
// number of words is the same on ranks that made the same definitions.
std::vector<uint64_t> told_losses(const model::Variables& variables);
// Takes over such words, of which each is at least that of this rank.
void take_told_losses(model::Schema& schema, std::span<const uint64_t> words);

}  // namespace scorpio::format
