// A variable: its type, dimensions, form of storage and attributes. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/attribute.h"
#include "model/element_type.h"

namespace scorpio::model {

// The form of storage of the elements of a variable, for formats that have several; plain: contiguous, or
// record by record.
struct Storage {
  enum class Form : uint8_t { plain, chunked, compact, external, virtual_dataset, unknown };
  Form form = Form::plain;
  std::vector<int64_t> chunk{};   // [ndims] extents in elements, when chunked
  std::vector<int> filters{};     // in the order in which they are applied when a chunk is written
  std::vector<int> parameters{};  // [filters] 0 where a filter has none, or it is not known

  friend bool operator==(const Storage&, const Storage&) = default;
};

// A variable whose first dimension is unlimited is stored record by record. Its slab is one record; the slab
// of a variable without records is the whole variable.
struct Variable {
  std::string path;
  ElementType type;           // as stored in the file, or as its library returns it
  std::vector<int64_t> dims;  // [ndims], slowest first; empty = one element
  // [ndims] indices of the dimensions; -1: without a name; own_dimension(): the same, but unlimited; empty:
  // all are -1.
  std::vector<int> dimensions;
  bool records = false;          // dims[0] is unlimited
  uint32_t inner_unlimited = 0;  // bit d: dims[d] is unlimited, for d > 0
  uint32_t extensible = 0;       // bit d: another program can extend dims[d], also if it has no name
  bool filled = false;           // elements that no rank writes get the fill value
  Storage storage;
  std::string foreign_type;  // not empty: the description of the type in the file; `type` is a substitute
  bool other_order =
      false;  // the format's library reverses the bytes of elements: those of `type` are reversed in the file
  std::string unreadable;  // not empty: why the elements cannot be read here
  Attributes attributes;
  bool small_attributes = false;  // the file has no room for attributes of 64 KiB or more of this object

  static constexpr size_t k_most_dims_that_grow = 32;  // the first ones
  // Whether dims[d] is unlimited.
  bool grows(size_t d) const {
    return d == 0 ? records : d < k_most_dims_that_grow && (inner_unlimited >> d & 1) != 0;
  }
  // Some dimension other than the first is unlimited: the variable has no records of fixed size. It is stored
  // in chunks.
  bool is_free() const { return inner_unlimited != 0; }
  ByteOrder byte_order() const;  // in the file
  // The dimension along which records are appended; -1: none.
  int record_dimension() const { return records && !dimensions.empty() ? dimensions[0] : -1; }
  // These do not overflow, because sizes are checked at the definition; of a variable with several unlimited
  // dimensions, whose lengths can grow apart, they are limited to 2^63 - 1. All records are included.
  int64_t elements() const;
  uint64_t bytes() const;
  // Whether an extent that cannot grow is 0, so that the variable never has elements.
  bool stays_empty() const;
  std::span<const int64_t> slab_dims() const { return std::span(dims).subspan(records ? 1 : 0); }
  int64_t slab_elements() const;
  uint64_t slab_bytes() const { return static_cast<uint64_t>(slab_elements()) * type.size_bytes; }
};

}  // namespace scorpio::model
