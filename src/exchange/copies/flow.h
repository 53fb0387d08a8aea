// One data call in the exchange: the bytes of the file that it accesses, which all ranks know, and the parts
// that this rank copies. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/conversion.h"
#include "decomp/runs.h"
#include "exchange/copies/copy.h"
#include "plan/domains.h"
#include "plan/node_sets.h"

namespace scorpio::exchange {

// Elements at equal distances in the file, of a variable or of one record of it.
struct Part {
  uint64_t begin = 0;        // the byte of the file at which element 0 begins
  size_t element_bytes = 1;  // size of an element in the file
  const decomp::RunList* runs = nullptr;
  const codec::Conversion* conversion = nullptr;  // put: memory to file; get: file to memory
  const std::byte* from = nullptr;                // put: the user's buffer
  std::byte* to = nullptr;                        // get: the same
  uint64_t* misfits = nullptr;  // may be null; is increased by the number of elements that did not fit

  CopyFrame frame(uint64_t unit_begin, ByteRange range) const { return {begin, unit_begin, range}; }
  // The bytes between the first and the last element; empty if there are none.
  ByteRange hull() const;
  // The number of bytes of its elements in the file.
  uint64_t bytes() const { return static_cast<uint64_t>(runs->elements()) * element_bytes; }
};

// Where an array of elements begins in the file.
struct ArrayPlace {
  uint64_t begin = 0;
  size_t element_bytes = 1;
};

struct Flow {
  // These fields are the same on all ranks.
  plan::DomainRule rule;
  ByteRange variable{};                // all bytes of the variable, which contiguous file domains divide
  std::span<const ByteRange> touched;  // sorted, disjoint parts of it in which ranks hold elements
  bool exact = true;                   // ranks hold all bytes of `touched`
  bool continues = false;  // continues the operation of the flow before it, which has the same parts
  std::span<const ByteRange> node_hulls;  // [nodes] range of the bytes of each node's ranks; empty ranges:
                                          // none; of several nodes only
  // The elements of each node, which it has in each of the arrays at `places` (ascending, and disjoint); null
  // if only `node_hulls` is known.
  const plan::NodeSets* node_sets = nullptr;
  std::span<const ArrayPlace> places;
  // The parts of this rank, in the order of its requests: if parts of a put overlap, the later one is
  // written.
  std::span<const Part> parts;
  bool interleaved = false;  // interleaved(parts), as defined in tiles.h

  // The number of bytes of this rank's parts.
  uint64_t bytes() const;
  // A hash of the fields that must be the same on all ranks.
  uint64_t hash(bool reading) const;
};

}  // namespace scorpio::exchange
