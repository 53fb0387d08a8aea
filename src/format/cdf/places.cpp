#include "format/cdf/places.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/checked.h"
#include "base/result.h"
#include "format/cdf/geometry.h"
#include "format/cdf/header_writer.h"
#include "format/cdf/limits.h"

namespace scorpio::format::cdf {
namespace {

// An offset that increases, and reports an overflow of 2^63 - 1.
class Cursor {
 public:
  explicit Cursor(uint64_t at) : at_(at) {}

  bool ok() const { return at_.has_value(); }
  uint64_t at() const { return at_.value_or(0); }
  void skip(uint64_t bytes) {
    if (at_.has_value()) at_ = checked_add(*at_, bytes);
    if (at_.has_value() && *at_ > k_offset_limit) at_.reset();
  }
  void align(uint64_t unit) {
    if (at_.has_value()) at_ = round_up(*at_, unit);
  }
  void raise(uint64_t to) {
    if (at_.has_value()) at_ = std::max(*at_, to);
  }

 private:
  std::optional<uint64_t> at_;
};

// The variables of the new header that the old file has.
struct Kept {
  std::vector<std::optional<size_t>> old_index;  // [variables of the new header]
  Geometry old;
};

Status past_the_end() {
  return failure(Code::limit,
                 "the variables would end past 2^63 - 1 bytes: use smaller alignments or dimensions");
}

// Where the variables begin, and their fields of sizes: all of a header that place_all() changes.
class Places {
 public:
  explicit Places(const Header& header) {
    fields_.reserve(header.variables.size());
    for (const Variable& variable : header.variables) fields_.emplace_back(variable.begin, variable.vsize);
  }
  void restore(Header& header) const {
    for (size_t i = 0; i < fields_.size(); ++i)
      std::tie(header.variables[i].begin, header.variables[i].vsize) = fields_[i];
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> fields_;  // [variables]
};

class Placer {
 public:
  Placer(const Header& header, const Geometry& sizes, const Kept* kept)
      : sizes_(sizes), kept_(kept), begins_(header.variables.size()), cursor_(header_bytes(header)) {}

  Result<std::vector<uint64_t>> run(const Alignment& alignment) {
    cursor_.skip(alignment.header_free);
    cursor_.align(alignment.data);
    place_fixed(alignment);
    cursor_.skip(alignment.variable_free);
    cursor_.align(alignment.variable);
    cursor_.align(alignment.record);
    place_records();
    if (!cursor_.ok()) return past_the_end();
    return std::move(begins_);
  }

 private:
  const Extent* old_extent(size_t variable) const {
    if (kept_ == nullptr || !kept_->old_index[variable].has_value()) return nullptr;
    return &kept_->old.variables()[*kept_->old_index[variable]];
  }

  void place_fixed(const Alignment& alignment) {
    for (size_t i = 0; i < begins_.size(); ++i) {
      const Extent& extent = sizes_.variables()[i];
      if (extent.record) continue;
      cursor_.align(alignment.variable);
      if (const Extent* old = old_extent(i)) cursor_.raise(old->begin);
      begins_[i] = cursor_.at();
      cursor_.skip(extent.padded_bytes);
    }
  }

  void place_records() {
    if (kept_ != nullptr && kept_->old.record_variables() > 0) cursor_.raise(kept_->old.records_begin());
    for (size_t i = 0; i < begins_.size(); ++i) {
      const Extent& extent = sizes_.variables()[i];
      if (!extent.record) continue;
      begins_[i] = cursor_.at();
      cursor_.skip(extent.padded_bytes);
    }
  }

  const Geometry& sizes_;
  const Kept* kept_;
  std::vector<uint64_t> begins_;
  Cursor cursor_;
};

Status place_all(Header& header, const Alignment& alignment, const Kept* kept) {
  if (alignment.data == 0 || alignment.variable == 0 || alignment.record == 0) {
    return failure(Code::argument, "the alignments {}, {} and {} must be at least 1", alignment.data,
                   alignment.variable, alignment.record);
  }
  SCORPIO_ASSIGN(const Geometry sizes, check_sizes(header));
  SCORPIO_ASSIGN(const std::vector<uint64_t> begins, Placer(header, sizes, kept).run(alignment));
  const Places before(header);
  for (size_t i = 0; i < begins.size(); ++i) {
    header.variables[i].begin = begins[i];
    header.variables[i].vsize = vsize_field(header.version, sizes.variables()[i].padded_bytes);
  }
  Status possible = check_places(header);
  // With all its records the file must stay within 2^63 - 1 bytes.
  if (possible.ok()) possible = Geometry::make(header).status();
  if (!possible.ok()) before.restore(header);
  return possible;
}

// Finds variables of the same name, type and slab size, whose bytes can be kept.
Result<Kept> kept_of(const Header& header, const Header& old) {
  SCORPIO_ASSIGN(Geometry before, Geometry::make(old));
  SCORPIO_ASSIGN(const Geometry after, check_sizes(header));
  std::unordered_map<std::string_view, size_t> by_name;
  for (size_t i = 0; i < old.variables.size(); ++i) by_name.emplace(old.variables[i].name, i);
  Kept kept{std::vector<std::optional<size_t>>(header.variables.size()), std::move(before)};
  for (size_t i = 0; i < header.variables.size(); ++i) {
    const auto found = by_name.find(header.variables[i].name);
    if (found == by_name.end()) continue;
    const Extent& was = kept.old.variables()[found->second];
    const Extent& is = after.variables()[i];
    const bool same_type = header.variables[i].type == old.variables[found->second].type;
    if (same_type && was.record == is.record && was.bytes == is.bytes) kept.old_index[i] = found->second;
  }
  return kept;
}

}  // namespace

Status place(Header& header, const Alignment& alignment) { return place_all(header, alignment, nullptr); }

Status replace(Header& header, const Header& old, const Alignment& alignment) {
  SCORPIO_ASSIGN(const Kept kept, kept_of(header, old));
  return place_all(header, alignment, &kept);
}

}  // namespace scorpio::format::cdf
