// Sizes and addresses in a classic netCDF file: what follows from its header alone. Local; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

inline constexpr uint64_t k_padding_bytes =
    4;  // what the header's fields and the variables' data are padded to

// Size and place are within 2^63 - 1, like every offset of a file.
inline constexpr uint64_t k_offset_limit = INT64_MAX;

// The next multiple of `unit` (> 0); none past 2^63 - 1.
std::optional<uint64_t> round_up(uint64_t bytes, uint64_t unit);

// Whether the variable grows along the unlimited dimension; its ids are valid.
bool is_record(const Header& header, const Variable& variable);

// Bytes of the whole variable, or of one record of it, without padding. Code::shape for a dimension id that
// the header lacks, and for an unlimited dimension that is not the first; Code::limit past 2^63 - 1.
Result<uint64_t> slab_bytes(const Header& header, const Variable& variable);

struct Extent {
  uint64_t begin = 0;
  uint64_t bytes = 0;         // of the variable, or of one record of it
  uint64_t padded_bytes = 0;  // to the next multiple of 4
  uint32_t element_bytes = 1;
  bool record = false;
};

class Geometry {
 public:
  // Of the variables as their `begin` places them; their vsize is not used. Fails like slab_bytes, and where
  // a variable (all its records, if their number is known) would end past 2^63 - 1.
  static Result<Geometry> make(const Header& header);

  const std::vector<Extent>& variables() const { return variables_; }
  // From one record to the next: the padded slabs of all record variables. A single record variable is not
  // padded between its records (this matters for elements of 1 and 2 bytes).
  uint64_t record_bytes() const { return record_bytes_; }
  int record_variables() const { return record_variables_; }
  // The lowest begin of a record variable, one past the last byte of the variables that are not; 0 without
  // any.
  uint64_t records_begin() const { return records_begin_; }
  uint64_t fixed_end() const { return fixed_end_; }

  // File offset of element `element` of the variable, or of its record `record` (0 for others). Code::shape
  // outside of the slab or the record 0 of a fixed variable; Code::limit past 2^63 - 1.
  Result<uint64_t> address(size_t variable, uint64_t record, uint64_t element) const;

  // Complete records in a file of this size; the padding behind the last one may be missing.
  uint64_t records_in(uint64_t file_bytes) const;
  // One past the last byte of `records` (> 0) records, without padding behind it.
  Result<uint64_t> end_of_records(uint64_t records) const;
  // One past the last byte of data with this many records, without padding behind it.
  Result<uint64_t> end_of_data(uint64_t records) const;

 private:
  Status add(const Header& header, const Variable& variable);
  void close_records();

  std::vector<Extent> variables_;
  uint64_t record_bytes_ = 0;
  int record_variables_ = 0;
  uint64_t records_begin_ = 0;
  uint64_t first_record_end_ = 0;  // without the padding of the variable that ends it
  uint64_t fixed_end_ = 0;
};

}  // namespace scorpio::format::cdf
