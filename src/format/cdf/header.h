// The header of a classic netCDF file (CDF-1, CDF-2, CDF-5) as plain values, in the order of the file.
// Local; values without behaviour. Source: the public file format specifications of netCDF and CDF-5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scorpio::format::cdf {

enum class Version : uint8_t { cdf1 = 1, cdf2 = 2, cdf5 = 5 };

// The codes of the specification; those from uint8 on only in CDF-5.
enum class Type : uint32_t {
  int8 = 1,
  text = 2,
  int16 = 3,
  int32 = 4,
  float32 = 5,
  float64 = 6,
  uint8 = 7,
  uint16 = 8,
  uint32 = 9,
  int64 = 10,
  uint64 = 11
};

// A value of Header::records: unknown, to be computed from the size of the file.
inline constexpr uint64_t k_streaming = UINT64_MAX;

struct Dimension {
  std::string name;
  uint64_t length = 0;  // 0 if unlimited: Header::records is its length
  bool unlimited = false;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Attribute {
  std::string name;
  Type type = Type::text;
  std::vector<std::byte> values;  // elements big-endian, as in the file, without padding

  friend bool operator==(const Attribute&, const Attribute&) = default;
};

struct Variable {
  std::string name;
  std::vector<uint32_t> dims;  // indices into Header::dims, slowest first; empty: one element
  std::vector<Attribute> attributes;
  Type type = Type::float64;
  uint64_t vsize = 0;  // the field as it is in the file: readers compute the size from the shape instead
  uint64_t begin = 0;  // file offset of the first byte (of record 0)

  friend bool operator==(const Variable&, const Variable&) = default;
};

struct Header {
  Version version = Version::cdf5;
  uint64_t records = 0;  // or k_streaming
  std::vector<Dimension> dims;
  std::vector<Attribute> attributes;
  std::vector<Variable> variables;

  friend bool operator==(const Header&, const Header&) = default;
};

}  // namespace scorpio::format::cdf
