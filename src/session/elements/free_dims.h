// Puts and gets of variables with unlimited dimensions other than the first (model::Variable::is_free), in
// chunks: the region of the variable that a decomposition or a hyperslab is of, and the lengths that a put
// gives the dimensions. Local and pure; the results follow from arguments that all ranks have in common,
// except those of hyperslabs.
#pragma once

#include <span>

#include "base/result.h"
#include "decomp/chunk_order.h"
#include "model/dimension.h"
#include "model/variable.h"
#include "session/elements/boxes.h"
#include "session/state/file_contents.h"

namespace scorpio::session {

// The region of a decomposition of an array of the extents `dims`: of all dimensions of the variable or, at
// index `record` of the first one, of all others. Along unlimited dimensions it can be shorter than the
// variable and, for a put, longer; along others it has the extent of the variable. Code::shape,
// Code::argument for a wrong record.
Result<decomp::Region> region_of(const model::Variable& variable, std::span<const int64_t> dims,
                                 int64_t record, bool reading);

// The region from index 0 on that contains all boxes, which a put may grow. Code::shape for a box that
// exceeds the variable along another dimension.
Result<decomp::Region> region_of(const model::Variable& variable, std::span<const Box> boxes);

// Code::limit if the file cannot have the region.
Status check_growth(const FileContents& contents, int variable, const decomp::Region& region);

// Adds the lengths that the dimensions of the variable have after a put of the region.
void add_lengths(const model::Variable& variable, const decomp::Region& region, model::Lengths& lengths);

}  // namespace scorpio::session
