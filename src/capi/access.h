// What a scorpio_access describes, in the terms of the library. Local.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/file.h"

namespace scorpio::capi {

// Code::argument where fields of the access contradict each other.
Status check_access(const scorpio_access& access);
// Code::argument where an access of a call of all `ranks` names no rank that it could be of.
Status check_sharing(const scorpio_access& access, int ranks);

// By a decomposition, which may be none any more.
session::Move move_of(session::File& file, const scorpio_access& access, bool reading);
// Its hyperslabs.
Result<std::vector<session::Box>> boxes_of(session::File& file, const scorpio_access& access);
// As a request of this rank; its id.
Result<int64_t> post(session::File& file, session::Posts::Kind kind, const scorpio_access& access);

// Code::argument for a number of accesses that is negative, or accesses at NULL.
Status check_accesses(int n, const scorpio_access* accesses);

}  // namespace scorpio::capi
