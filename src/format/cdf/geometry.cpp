#include "format/cdf/geometry.h"

#include <algorithm>

#include "base/checked.h"
#include "format/cdf/type.h"

namespace scorpio::format::cdf {
namespace {

std::optional<uint64_t> within(std::optional<uint64_t> bytes) {
  return bytes.has_value() && *bytes <= k_offset_limit ? bytes : std::nullopt;
}

std::optional<uint64_t> sum(uint64_t a, uint64_t b) { return within(checked_add(a, b)); }

std::optional<uint64_t> product(uint64_t a, uint64_t b) { return within(checked_mul(a, b)); }

Status too_large(const Variable& variable) {
  return failure(Code::limit, "variable \"{}\" would end past 2^63 - 1 bytes: make a dimension smaller",
                 variable.name);
}

Status check_dimension_use(const Header& header, const Variable& variable, size_t position) {
  const uint32_t id = variable.dims[position];
  if (id >= header.dims.size()) {
    return failure(Code::shape, "variable \"{}\" has the dimension id {}; the file has {} dimensions",
                   variable.name, id, header.dims.size());
  }
  if (header.dims[id].unlimited && position > 0) {
    return failure(
        Code::shape,
        "variable \"{}\" has the unlimited dimension \"{}\" at position {}: it can only be the first, "
        "position 0",
        variable.name, header.dims[id].name, position);
  }
  return {};
}

}  // namespace

std::optional<uint64_t> round_up(uint64_t bytes, uint64_t unit) {
  const uint64_t over = bytes % unit;
  return over == 0 ? within(bytes) : sum(bytes, unit - over);
}

bool is_record(const Header& header, const Variable& variable) {
  return !variable.dims.empty() && header.dims[variable.dims[0]].unlimited;
}

Result<uint64_t> slab_bytes(const Header& header, const Variable& variable) {
  uint64_t bytes = size_bytes(variable.type);
  for (size_t i = 0; i < variable.dims.size(); ++i) {
    SCORPIO_TRY(check_dimension_use(header, variable, i));
    const Dimension& dimension = header.dims[variable.dims[i]];
    if (dimension.unlimited) continue;
    const auto larger = product(bytes, dimension.length);
    if (!larger.has_value()) return too_large(variable);
    bytes = *larger;
  }
  return bytes;
}

Status Geometry::add(const Header& header, const Variable& variable, uint64_t begin) {
  Extent extent;
  SCORPIO_ASSIGN(extent.bytes, slab_bytes(header, variable));
  const auto padded = round_up(extent.bytes, k_padding_bytes);
  if (!padded.has_value() || !sum(begin, *padded).has_value()) return too_large(variable);
  extent.begin = begin;
  extent.padded_bytes = *padded;
  extent.element_bytes = static_cast<uint32_t>(size_bytes(variable.type));
  extent.record = is_record(header, variable);
  const uint64_t end = extent.begin + extent.bytes;
  if (extent.record) {
    records_begin_ = record_variables_ == 0 ? extent.begin : std::min(records_begin_, extent.begin);
    first_record_end_ = std::max(first_record_end_, end);
    ++record_variables_;
    const auto record = sum(record_bytes_, extent.padded_bytes);
    if (!record.has_value()) return too_large(variable);
    record_bytes_ = *record;
  } else {
    fixed_end_ = std::max(fixed_end_, end);
  }
  variables_.push_back(extent);
  return {};
}

void Geometry::close_records() {
  if (record_variables_ != 1) return;
  const auto only =
      std::find_if(variables_.begin(), variables_.end(), [](const Extent& e) { return e.record; });
  record_bytes_ = only->bytes;
}

Result<Geometry> Geometry::make(const Header& header) { return of(header, true); }

Result<Geometry> Geometry::of_sizes(const Header& header) { return of(header, false); }

Result<Geometry> Geometry::of(const Header& header, bool with_places) {
  Geometry geometry;
  geometry.variables_.reserve(header.variables.size());
  for (const Variable& variable : header.variables)
    SCORPIO_TRY(geometry.add(header, variable, with_places ? variable.begin : 0));
  geometry.close_records();
  const uint64_t records = header.records == k_streaming || !with_places ? 0 : header.records;
  if (Result<uint64_t> end = geometry.end_of_data(records); !end.ok()) return end.status();
  return geometry;
}

uint64_t Geometry::records_in(uint64_t file_bytes) const {
  if (record_bytes_ == 0 || file_bytes < first_record_end_) return 0;
  return 1 + (file_bytes - first_record_end_) / record_bytes_;
}

Result<uint64_t> Geometry::end_of_records(uint64_t records) const {
  const auto before_last = product(records - 1, record_bytes_);
  const auto end = before_last.has_value() ? sum(*before_last, first_record_end_) : std::nullopt;
  if (!end.has_value()) {
    return failure(Code::limit, "{} records of {} bytes end past 2^63 - 1 bytes", records, record_bytes_);
  }
  return *end;
}

Result<uint64_t> Geometry::end_of_data(uint64_t records) const {
  if (records == 0 || record_variables_ == 0) return fixed_end_;
  SCORPIO_ASSIGN(const uint64_t end, end_of_records(records));
  return std::max(end, fixed_end_);
}

}  // namespace scorpio::format::cdf
