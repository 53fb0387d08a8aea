// One status for all ranks, with its text: the failure with the highest precedence (the highest code number;
// Code::range and Code::aborted have the lowest precedence), and of equal codes that of the lowest rank.
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
// `maxima` as above. `describe` (on all ranks, or on none) returns what `value` stands for, in lines. It is
// called only if values differ; the failure contains the first line that only one of the two ranks has.
using Describe = std::function<std::string()>;
Status agree_equal(const Group& comm, const Status& mine, uint64_t value, const char* what,
                   std::span<uint64_t> maxima = {}, const Describe& describe = {});

}  // namespace scorpio::comm
