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

// All ranks return the same status (code, text, origin). In the same message, `maxima` are reduced by maximum
// and `sums` by sum modulo 2^64.
Status agree(const Group& comm, const Status& mine, std::span<uint64_t> maxima = {},
             std::span<uint64_t> sums = {});

// The same with all words of the reduction, of which the first is that of the status; the last `sums` of them
// are reduced by sum. Needs no memory.
Status agree_in_place(const Group& comm, const Status& mine, std::span<uint64_t> words, size_t sums = 0);

// Unless `value` is equal on all ranks, fails with Code::mismatch and names the lowest rank whose value
// differs from that of rank 0. `what` ends the sentence "rank 3 passed other ...". A failure of `mine` takes
// precedence. One reduction. `maxima` as above. `describe` (on all ranks, or on none) returns a description
// of `value` in lines. It is called only if values differ; the failure contains the first line that only one
// of the two ranks has.
using Describe = std::function<std::string()>;
Status agree_equal(const Group& comm, const Status& mine, uint64_t value, const char* what,
                   std::span<uint64_t> maxima = {}, const Describe& describe = {});

}  // namespace scorpio::comm
