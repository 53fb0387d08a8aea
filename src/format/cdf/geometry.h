// Sizes and addresses in a classic netCDF file, computed from its header alone. Local; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

inline constexpr uint64_t k_padding_bytes =
    4;  // the header's fields and the variables' data are padded to this

// Sizes and addresses are at most 2^63 - 1, like every file offset.
inline constexpr uint64_t k_offset_limit = INT64_MAX;

// The next multiple of `unit` (> 0); none if it exceeds 2^63 - 1.
std::optional<uint64_t> round_up(uint64_t bytes, uint64_t unit);

// Whether the variable has the unlimited dimension; its ids are valid.
bool is_record(const Header& header, const Variable& variable);

// The size of the variable, or of one record of it, without padding. Code::shape for a dimension id that the
// header lacks, and for an unlimited dimension that is not the first; Code::limit past 2^63 - 1.
Result<uint64_t> slab_bytes(const Header& header, const Variable& variable);

struct Extent {
  uint64_t begin = 0;
  uint64_t bytes = 0;         // size of the variable, or of one record of it
  uint64_t padded_bytes = 0;  // rounded up to a multiple of 4
  uint32_t element_bytes = 1;
  bool record = false;
};

class Geometry {
 public:
  // Uses `begin` of the variables, not vsize. Fails like slab_bytes, and if a variable (with all its records,
  // if their number is known) would end past 2^63 - 1.
  static Result<Geometry> make(const Header& header);
  // The sizes alone, as if each variable began at byte 0 and there were no records.
  static Result<Geometry> of_sizes(const Header& header);

  const std::vector<Extent>& variables() const { return variables_; }
  // The distance between records: the padded slabs of all record variables. A single record variable has no
  // padding between its records (this matters for elements of 1 and 2 bytes).
  uint64_t record_bytes() const { return record_bytes_; }
  int record_variables() const { return record_variables_; }
  // The lowest begin of a record variable; 0 if there is none.
  uint64_t records_begin() const { return records_begin_; }

  // The number of complete records in a file of this size; the padding after the last one may be missing.
  uint64_t records_in(uint64_t file_bytes) const;
  // One past the last byte of `records` (> 0) records, without the padding after it.
  Result<uint64_t> end_of_records(uint64_t records) const;
  // One past the last byte of data with this number of records, without the padding after it.
  Result<uint64_t> end_of_data(uint64_t records) const;

 private:
  static Result<Geometry> of(const Header& header, bool with_places);
  Status add(const Header& header, const Variable& variable, uint64_t begin);
  void close_records();

  std::vector<Extent> variables_;
  uint64_t record_bytes_ = 0;
  int record_variables_ = 0;
  uint64_t records_begin_ = 0;
  uint64_t first_record_end_ = 0;  // without the padding of its last variable
  uint64_t fixed_end_ = 0;         // one past the last byte of the variables without records
};

}  // namespace scorpio::format::cdf
