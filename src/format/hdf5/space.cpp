#include "format/hdf5/space.h"

#include <utility>

#include "format/address_limits.h"

namespace scorpio::format::hdf5 {
namespace {

constexpr uint64_t k_element_alignment = 8;
// Raw data below this size without a placement are heaps of texts and references, which are stored with the
// metadata.
constexpr uint64_t k_largest_heap = uint64_t{64} << 10;

constexpr uint64_t k_small_part = 4;

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

uint64_t Space::next_block(uint64_t address) const { return round_up(address, block_bytes_); }

// The first address for metadata: in the first block directly after the data, else in a block without data.
uint64_t Space::behind_data() const {
  const uint64_t last = end();
  if (last < block_bytes_) return data_end_ < library_end_ ? last : round_up(last, k_element_alignment);
  return std::max(last, next_block(data_end_ > library_end_ ? data_end_ : placed_end_));
}

void Space::set_library_end(uint64_t end, bool raw) {
  if (raw && std::exchange(retired_, std::nullopt)) return;
  const uint64_t before = this->end();
  if (tracking_) {
    if (!raw) metadata_.add({before, end});
    metadata_.erase({end, k_address_limit});
  }
  library_end_ = end;
  if (pool_ == before) {  // HDF5 frees or extends its last allocation
    pool_ = std::max(end, data_end_);
    pool_end_ = std::max(pool_end_, pool_);
  }
  if (end > before) use({before, end});
}

// The whole range is in use.
void Space::use(ByteRange range) {
  if (empty_from_ && range.begin < block_bytes_) empty_from_ = std::max(*empty_from_, range.end);
}

void Space::reserve_data(ByteRange range) {
  raise_data_end(range.end);
  placed_end_ = std::max(placed_end_, range.end);
  use(range);
  if (range.begin < pool_end_ && range.end > pool_) pool_end_ = std::max(pool_, range.begin);
}

uint64_t Space::next_pool_bytes() {
  const uint64_t bytes = k_pool_bytes[pools_];
  if (pools_ + 1 < k_pool_bytes.size()) ++pools_;
  return bytes;
}

// The pool uses what large data leave of the first block; otherwise it is after all data, up to the end of a
// block.
void Space::start_pool(uint64_t bytes) {
  const uint64_t left = empty_from_ ? round_up(*empty_from_, k_element_alignment) : block_bytes_;
  if (data_end_ > block_bytes_ && left < block_bytes_ && bytes <= block_bytes_ - left) {
    pool_ = left;
    pool_end_ = block_bytes_;
    return;
  }
  pool_ = std::max(behind_data(), pool_);
  pool_end_ = pool_ + std::max(bytes, next_pool_bytes());
  if (pool_end_ > block_bytes_) pool_end_ = next_block(pool_end_);
}

uint64_t Space::take_from_pool(uint64_t bytes) {
  if (bytes > pool_end_ - pool_) start_pool(bytes);
  return std::exchange(pool_, pool_ + bytes);
}

std::optional<uint64_t> Space::allocate(uint64_t bytes, bool raw) {
  if (raw) retired_.reset();
  if (raw && armed_ && !taken_ && armed_->bytes == bytes) {
    taken_ = ByteRange::at(armed_->address.value_or(propose(bytes)), bytes);
    add_data(*taken_);
    return taken_->begin;
  }
  const uint64_t last_begin = std::max(first_untouched(), pool_end_);
  if (last_begin > k_address_limit || bytes > k_address_limit - last_begin) return std::nullopt;
  // A long attribute takes little of a large pool; behind the pool it would leave the rest of it unused.
  const bool pooled = !raw || bytes < k_largest_heap || bytes <= (pool_end_ - pool_) / k_small_part;
  const uint64_t begin = pooled ? take_from_pool(bytes) : std::max(behind_data(), pool_end_);
  const ByteRange range = ByteRange::at(begin, bytes);
  if (raw) {
    metadata_.erase(range);
  } else {
    metadata_.add(range);
  }
  library_end_ = std::max(library_end_, range.end);
  use(range);
  return begin;
}

void Space::arm(std::optional<uint64_t> address, uint64_t bytes) {
  armed_ = Placement{address, bytes};
  taken_.reset();
}

std::optional<ByteRange> Space::disarm() {
  armed_.reset();
  retired_.reset();
  return std::exchange(taken_, std::nullopt);
}

bool Space::drops(ByteRange range) const { return taken_ && taken_->holds(range); }

uint64_t Space::propose(uint64_t bytes) const {
  const uint64_t begin = round_up(std::max(first_untouched(), pool_end_), k_element_alignment);
  const bool follows_data = begin == round_up(placed_end_, k_element_alignment);
  const bool foreign_block = begin > block_bytes_ && !follows_data;
  return foreign_block || bytes >= block_bytes_ ? next_block(begin) : begin;
}

void Space::add_data(ByteRange range) {
  data_.add(range);
  metadata_.erase(range);
  reserve_data(range);
}

}  // namespace scorpio::format::hdf5
