// Conversion of a scorpio_access to the types of the library. Local.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/file.h"

namespace scorpio::capi {

// Code::argument if fields of the access contradict each other.
Status check_access(const scorpio_access& access);
// Code::argument if `root` of an access in a collective call is not one of the `ranks` ranks.
Status check_sharing(const scorpio_access& access, int ranks);

// The move of an access by a decomposition, which may have been released.
session::Move move_of(session::File& file, const scorpio_access& access, bool reading);
// The hyperslabs of the access.
Result<std::vector<session::Box>> boxes_of(session::File& file, const scorpio_access& access);
// Makes the access a request of this rank; returns its id.
Result<int64_t> post(session::File& file, session::Posts::Kind kind, const scorpio_access& access);

// Code::argument if the number of accesses is negative, or if the array is NULL.
Status check_accesses(int n, const scorpio_access* accesses);

}  // namespace scorpio::capi
