// Definitions that all parts of the 2012 interface use: families, element types, extents, the hash of a call.
// Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/fingerprint.h"
#include "common/volume.h"
#include "scorpio/scorpio.h"

namespace scorpio2012 {

// The value of FAILURE in the public headers; reads of attributes distinguish two more cases.
constexpr int k_failure = -1;
constexpr int k_wrong_type = -2;
constexpr int k_no_attribute = -5;

// The limit of HDF5.
constexpr int k_most_dimensions = 32;

// The two families of C names; they differ in how BYTE is stored.
enum class Family { scorpio, parallel_io };

// Numbers of datatype_t, file_mode_t and iopattern_t, in all families and in Fortran.
enum Datatype { k_integer, k_double, k_float, k_long, k_char, k_byte, k_string };
enum FileMode { k_create, k_read_only, k_read_write };
enum Pattern {
  k_uniform_read,
  k_nonuniform_read,
  k_noncontiguous_read,
  k_entire_read,
  k_uniform_write,
  k_nonuniform_write,
  k_noncontiguous_write,
  k_entire_write
};

struct Element {
  scorpio_type type;
  size_t bytes;
};

// Empty for STRING and for invalid datatypes.
std::optional<Element> element_of(int datatype, Family family);

using Extents = std::vector<int64_t>;

// None unless there are 1 to 32 dimensions without negative extents. Only the first `ndims` values are read.
std::optional<Extents> extents_of(int ndims, const int* dims);
std::optional<Extents> extents_of(int ndims, const int64_t* dims);

// The path from the root of the file, as HDF5 interprets it: several slashes count as one, "." is ignored.
std::string absolute_path(std::string_view path);

using scorpio_compat::volume;

// The call of a rank and its arguments, for the comparison between ranks.
class CallHash {
 public:
  explicit CallHash(std::string_view function);

  CallHash& add(std::string_view text);
  CallHash& add(const char* text);  // NULL is a value of its own
  CallHash& add(int64_t number);
  CallHash& add(const std::optional<Extents>& extents);

  uint64_t function() const { return function_; }
  uint64_t value() const { return value_.value(); }

 private:
  scorpio_compat::Fingerprint value_;
  uint64_t function_;
};

}  // namespace scorpio2012
