// One data call in the exchange: the bytes of the file that it accesses, which all ranks know, and the parts
// that this rank copies. Local and pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/conversion.h"
#include "decomp/runs.h"
#include "exchange/copy.h"
#include "plan/domains.h"

namespace scorpio::exchange {

// Elements that lie equally spaced in the file: of a variable, or of one record of it.
struct Part {
  uint64_t begin = 0;        // byte of the file where element 0 lies
  size_t element_bytes = 1;  // in the file
  const decomp::RunList* runs = nullptr;
  const codec::Conversion* conversion = nullptr;  // put: memory to file; get: file to memory
  const std::byte* from = nullptr;                // put: the user's buffer
  std::byte* to = nullptr;                        // get: the same
  uint64_t* misfits = nullptr;  // may be null; gets the number of elements that did not fit added

  CopyFrame frame(uint64_t unit_begin, ByteRange range) const { return {begin, unit_begin, range}; }
  // Bytes that its elements lie in; empty for none.
  ByteRange hull() const;
  // Of its elements, in the file.
  uint64_t bytes() const { return static_cast<uint64_t>(runs->elements()) * element_bytes; }
};

struct Flow {
  // The same on all ranks.
  plan::DomainRule rule;
  ByteRange variable{};                   // what domains are cut of: all bytes of the variable
  std::span<const ByteRange> touched;     // sorted, disjoint parts of it that some rank holds
  bool exact = true;                      // ... and holds wholly
  bool continues = false;                 // the operation that the flow before it, of the same parts, began
  std::span<const ByteRange> node_hulls;  // [nodes] bytes that a node's ranks lie in; empty ranges: none
  // Of this rank, in the order of its requests: where parts of a put overlap, the later one is written.
  std::span<const Part> parts;
  bool interleaved = false;  // they are arrays of structures, as interleaved(parts) of tiles.h says

  // Of this rank's parts.
  uint64_t bytes() const;
  // A hash of the fields that must be the same on all ranks.
  uint64_t hash(bool reading) const;
};

}  // namespace scorpio::exchange
