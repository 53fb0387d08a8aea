// One outcome for all ranks, with its text: the failure that explains most (the highest code number, but
// Code::range and Code::aborted count least), and of equal ones the lowest rank's.
// Collective. One reduction; the text is broadcast only when something failed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/status.h"
#include "comm/group.h"

namespace scorpio::comm {

// Same status (code, text, origin) on every rank. `maxima`, if any, are reduced by maximum in the same
// message, `sums` by sum modulo 2^64.
Status agree(const Group& comm, const Status& mine, std::span<uint64_t> maxima = {},
             std::span<uint64_t> sums = {});

// Fails with Code::mismatch, naming the lowest rank whose `value` differs from rank 0's, unless all are
// equal. `what` ends the sentence "rank 3 passed other ...". A failure of `mine` comes first. One reduction.
// `maxima` as above. `describe` (on all ranks, or on none): what `value` stands for, a line each; it is asked
// only where values differ, and the first line that only one of the two ranks has is named.
using Describe = std::function<std::string()>;
Status agree_equal(const Group& comm, const Status& mine, uint64_t value, const char* what,
                   std::span<uint64_t> maxima = {}, const Describe& describe = {});

}  // namespace scorpio::comm
