// Whether the elements of a variable can be read and overwritten, as far as this depends on the variable, its
// placement and the format. The results are the same on all ranks. Local and pure.
#pragma once

#include "base/result.h"
#include "codec/conversion.h"
#include "format/format.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::session {

// Code::unsupported, with the reason.
Status check_readable(const model::Variable& variable);
Status check_overwritable(const model::Variable& variable, const format::Placement& placement);

// In a format whose bytes have no sign of their own they are taken as they stand, as unsigned ones too.
model::ElementType memory_type_for(const format::Format& format, const model::ElementType& stored,
                                   model::ElementType memory);
// Of elements that are read or put. `memory_type` may be a failure: of this rank's arguments.
Result<codec::Conversion> conversion_of(const format::Format& format, const model::Variable& variable,
                                        const Result<model::ElementType>& memory_type, bool reading);

}  // namespace scorpio::session
