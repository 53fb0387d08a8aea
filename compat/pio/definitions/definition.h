// A definition: a dimension, a variable, an attribute, or a setting of fill values or storage, as a value
// that can be compared, sent to other ranks and made again. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

struct Definition {
  enum class Kind {
    dimension,
    variable,
    attribute,
    dimension_name,
    variable_name,
    attribute_name,
    removal,  // of an attribute
    fill_mode,
    fill,
    chunks,
    filters,
    byte_order,
    form  // of a variable in one piece; the underlying library has one such form
  };

  Kind kind = Kind::dimension;
  int object = SCORPIO_GLOBAL;  // the id of a variable or dimension
  std::string name, new_name;
  int64_t length = 0;  // of a dimension or attribute; 1 if fill is on; NC_ENDIAN_*; NC_COMPACT, NC_CONTIGUOUS
  nc_type stored = PIO_NAT, memory = PIO_NAT;
  std::vector<int> dimensions;
  std::vector<int64_t> numbers;  // extents of a chunk; or the number and the parameter of each filter
  std::string value;             // bytes
  bool has_value = false;

  // Returns the code of the public C API. `id`: that of a new dimension or variable.
  int make(scorpio_file* file, int* id) const;

  // True for a dimension, a variable or a fill value, which may change the locations of data.
  bool needs_place() const;
  bool renames() const;
  // Of one that does not rename: true if the changed object needs no more space than before. `file`: before
  // the definition.
  bool fits_in_place(scorpio_file* file) const;

  void append_to(std::string& bytes) const;
  // A hash of this definition after those with the hash `before`.
  uint64_t print_after(uint64_t before) const;
  // Reads a definition from `at`, and advances `at` to its end.
  static Definition from(const std::string& bytes, size_t& at);
};

}  // namespace scorpio_pio
