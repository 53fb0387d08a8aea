// Which bytes of a file hold data of its variables. Local and pure.
#pragma once

#include <optional>
#include <vector>

#include "model/schema.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// Of the bytes of `hull`: sorted, disjoint, neighbours joined; variables without an address are not among
// them. None where more slabs (variables, and records of them) would have to be looked at than is worth
// while.
std::optional<std::vector<plan::ByteRange>> stored_ranges(const model::Schema& schema, plan::ByteRange hull);

}  // namespace scorpio::transfer
