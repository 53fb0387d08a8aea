// Chunks in the staging memory of a node that ranks encode and decode for its I/O ranks. Local; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/cpu_list.h"
#include "base/result.h"
#include "comm/shared_tasks.h"
#include "observe/counters.h"

namespace scorpio::session {

// The result takes the place of the first bytes of `image`, and what it is longer is the tail of the outcome;
// the flags of the outcome are the filters that were not applied, its figures the largest absolute and
// relative error. After a failure the image is as it was: also if the tail would be too long.
Result<comm::SharedTasks::Outcome> encode_in_place(std::span<const std::byte> recipe,
                                                   std::span<std::byte> image, observe::Counters& counters);

// The encoded bytes are the first ones of `image`. After a failure the image may have any value: the I/O rank
// reads the chunk again.
Result<comm::SharedTasks::Outcome> decode_in_place(std::span<const std::byte> recipe,
                                                   std::span<std::byte> image, observe::Counters& counters);

// Does what the recipe says.
Result<comm::SharedTasks::Outcome> code_in_place(std::span<const std::byte> recipe,
                                                 std::span<std::byte> image, observe::Counters& counters);

// The number of ranks of a node that can encode chunks beside its I/O ranks, so that each has a CPU. `cpus`:
// for each rank of the node those on which it may run, as far as it is known. Pure.
uint32_t ranks_that_encode(std::span<const CpuSet> cpus, int local_ranks, int local_io_ranks);

}  // namespace scorpio::session
