// One buffered write. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "pio/decompositions/layout.h"
#include "pio/definitions/variable_facts.h"
#include "pio/system/buffers.h"
#include "scorpio/access.h"

namespace scorpio_pio {

class PutOfPart;

// A write by a layout, or to a hyperslab.
struct Write {
  int variable = 0;
  scorpio_type type = SCORPIO_INT32;
  size_t element_bytes = 0;
  std::shared_ptr<Layout> layout;
  int64_t record = 0;
  // Where the layout is of the first part of the variable, or of its dimensions after the first: the extents
  // of these dimensions, and the number of dimensions of the variable.
  std::vector<int64_t> array;
  size_t ndims = 0;
  std::shared_ptr<PutOfPart> part;            // how it is carried out; NULL: it is not prepared
  std::vector<std::byte> fill;                // one element
  std::vector<int64_t> start, count, stride;  // empty stride: 1
  std::vector<Growth> growth;                 // of the unlimited dimensions that it may extend
  Buffer data;
  // Instead of `data`: the caller's array of `bytes` bytes, if the same call carries out the write.
  const std::byte* borrowed = nullptr;
  size_t bytes = 0;
  int64_t counted = 0;   // the size of this write as all ranks count it
  bool refused = false;  // the call has failed on this rank: the write is for ranks on which it has not

  const std::byte* values() const { return borrowed != nullptr ? borrowed : data.get(); }
};

}  // namespace scorpio_pio
