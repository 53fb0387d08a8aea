#include "format/hdf5/space.h"

#include <utility>

#include "base/checked.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr uint64_t k_last_address = uint64_t{1} << 62;
constexpr uint64_t k_element_alignment = 8;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

uint64_t Space::next_block(uint64_t address) const { return round_up(address, block_bytes_); }

void Space::set_library_end(uint64_t end, bool raw) {
  if (tracking_) {
    if (!raw) metadata_.add(this->end(), end);
    metadata_.erase(end, k_last_address);
  }
  library_end_ = end;
}

std::optional<uint64_t> Space::allocate(uint64_t bytes, bool raw) {
  if (raw && armed_ && !taken_ && armed_->bytes == bytes) {
    taken_ = Range{armed_->address.value_or(propose(bytes)), bytes};
    add_data(*taken_);
    return taken_->address;
  }
  // Others write the data's last block: metadata keep out of it.
  const uint64_t begin = data_end_ > library_end_ ? next_block(data_end_) : library_end_;
  const auto end = checked_add(begin, bytes);
  if (!end || *end > k_last_address) return std::nullopt;
  if (raw) {
    metadata_.erase(begin, *end);
  } else {
    metadata_.add(begin, *end);
  }
  library_end_ = *end;
  return begin;
}

void Space::arm(std::optional<uint64_t> address, uint64_t bytes) {
  armed_ = Placement{address, bytes};
  taken_.reset();
}

std::optional<Range> Space::disarm() {
  armed_.reset();
  return std::exchange(taken_, std::nullopt);
}

bool Space::drops(Range range) const {
  return taken_ && range.address >= taken_->address && range.end() <= taken_->end();
}

uint64_t Space::propose(uint64_t bytes) const {
  const uint64_t begin = first_untouched();
  return bytes >= block_bytes_ ? next_block(begin) : round_up(begin, k_element_alignment);
}

void Space::add_data(Range range) {
  data_.add(range.address, range.end());
  metadata_.erase(range.address, range.end());
  raise_data_end(range.end());
}

}  // namespace scorpio::format::hdf5
