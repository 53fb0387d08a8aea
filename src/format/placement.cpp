#include "format/placement.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"

namespace scorpio::format {
namespace {

constexpr uint64_t k_limit = uint64_t{1} << 62;

// Of one placement in a message.
constexpr size_t k_least_bytes = 1 + 3 * 8;

}  // namespace

Placement Placement::at(uint64_t address, uint64_t record_stride) {
  Placement placement;
  placement.kind_ = Kind::address;
  placement.address_ = address;
  placement.record_stride_ = record_stride;
  return placement;
}

Placement Placement::by_library(std::string form) {
  Placement placement;
  placement.kind_ = Kind::library;
  placement.form_ = std::move(form);
  return placement;
}

std::optional<uint64_t> Placement::address() const {
  return has_address() ? std::optional(address_) : std::nullopt;
}

uint64_t Placement::address_of(int64_t record) const {
  return address_ + static_cast<uint64_t>(record) * record_stride_;
}

std::optional<uint64_t> Placement::end(uint64_t records, uint64_t slab_bytes) const {
  const auto before = checked_mul(records - 1, record_stride_);
  const auto begin = before ? checked_add(*before, address_) : std::nullopt;
  return begin ? checked_add(*begin, slab_bytes) : std::nullopt;
}

int64_t Placement::first_record_behind(uint64_t byte, uint64_t slab_bytes) const {
  const uint64_t first_end = address_ + slab_bytes;
  if (record_stride_ == 0 || first_end > byte) return 0;
  return static_cast<int64_t>((byte - first_end) / record_stride_ + 1);
}

Status Placement::check_records(const std::string& variable, uint64_t records) const {
  const uint64_t stride = std::max<uint64_t>(record_stride_, 1);
  if (address_ <= k_limit && records <= (k_limit - address_) / stride) return {};
  return failure(Code::limit, "{} records of {} bytes for {}: the file would pass 2^62 bytes", records,
                 stride, variable);
}

void Placement::write(model::ByteWriter& out) const {
  out.u8(static_cast<uint8_t>(kind_));
  out.u64(address_);
  out.u64(record_stride_);
  out.text(form_);
}

Placement Placement::read(model::ByteReader& in) {
  const uint8_t kind = in.u8();
  const uint64_t address = in.u64();
  const uint64_t record_stride = in.u64();
  std::string form = in.text();
  if (kind == static_cast<uint8_t>(Kind::address)) return at(address, record_stride);
  if (kind == static_cast<uint8_t>(Kind::library)) return by_library(std::move(form));
  return {};
}

const Placement& Placements::of(int variable) const {
  const auto index = static_cast<size_t>(variable);
  return index < all_.size() ? all_[index] : none_;
}

void Placements::set(int variable, Placement placement) {
  const auto index = static_cast<size_t>(variable);
  if (index >= all_.size()) all_.resize(index + 1);
  all_[index] = std::move(placement);
}

bool Placements::any_by_library() const {
  return std::any_of(all_.begin(), all_.end(), [](const Placement& one) { return one.is_by_library(); });
}

void Placements::write(model::ByteWriter& out) const {
  out.u64(all_.size());
  for (const Placement& placement : all_) placement.write(out);
}

Placements Placements::read(model::ByteReader& in) {
  Placements placements;
  placements.all_.resize(in.count(k_least_bytes));
  for (Placement& placement : placements.all_) placement = Placement::read(in);
  return placements;
}

}  // namespace scorpio::format
