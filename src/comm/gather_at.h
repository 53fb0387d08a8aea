// Gathers lists at one rank along a tree: each rank sends at most one list and receives as many as the number
// of ranks has binary digits, and no other rank has memory for all of them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "comm/group.h"

namespace scorpio::comm {

// The lists of all ranks that are not empty, at rank `root`; nothing on the other ranks. Collective, after a
// reduction of the same call. A rank that fails returns its failure, and sends an empty list.
Result<std::map<int, std::vector<int64_t>>> gather_at(const Group& comm, int root,
                                                      std::span<const int64_t> own);

}  // namespace scorpio::comm
