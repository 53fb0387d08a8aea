// Whether the elements of a variable can be read and overwritten, as far as this depends on the variable, its
// placement and the format. The results are the same on all ranks. Local and pure.
#pragma once

#include "base/result.h"
#include "codec/conversion.h"
#include "format/format.h"
#include "format/placement.h"
#include "model/element_type.h"
#include "model/variable.h"

namespace scorpio::session {

// Each returns Code::unsupported, with the reason.
Status check_readable(const model::Variable& variable);
Status check_overwritable(const model::Variable& variable, const format::Placement& placement);

// Whether the records of the variable can be read at once, like the indices of any other dimension: they are
// stored in chunks, or are read by the library of the format.
bool reads_records_at_once(const model::Variable& variable);

// A format that does not distinguish signed and unsigned bytes stores them unchanged, whichever the memory
// type is.
model::ElementType memory_type_for(const format::Format& format, const model::ElementType& stored,
                                   model::ElementType memory);
// The conversion of elements that are read (`reading`) or put. `memory_type` may hold the failure of this
// rank's arguments.
Result<codec::Conversion> conversion_of(const format::Format& format, const model::Variable& variable,
                                        const Result<model::ElementType>& memory_type, bool reading);

}  // namespace scorpio::session
