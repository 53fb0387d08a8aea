// Computes the locations of variables in a file. Local; thread-compatible.
#include "format/address_book.h"

#include <algorithm>

#include "format/address_limits.h"

namespace scorpio::format {
namespace {

// This cannot overflow: `address` and each block are at most k_address_limit.
uint64_t align_up(uint64_t address, uint64_t unit) { return (address + unit - 1) / unit * unit; }

uint64_t sound_block(uint64_t block_bytes) {
  return align_up(std::clamp(block_bytes, k_alignment_bytes, k_address_limit), k_alignment_bytes);
}

}  // namespace

AddressBook::AddressBook(uint64_t block_bytes, uint64_t first_free)
    : block_bytes_(sound_block(block_bytes)), end_(first_free) {}

Status AddressBook::check(uint64_t bytes) const { return next(bytes, in_whole_blocks(bytes)).status(); }

bool AddressBook::in_whole_blocks(uint64_t bytes) const {
  return (shared_ != Shared::nothing && end_ > block_bytes_) || bytes >= block_bytes_;
}

Result<uint64_t> AddressBook::place(uint64_t bytes) {
  SCORPIO_ASSIGN(const uint64_t address, next(bytes, in_whole_blocks(bytes)));
  return take(address, bytes);
}

Result<uint64_t> AddressBook::place_next(uint64_t bytes) {
  SCORPIO_ASSIGN(const uint64_t address, next(bytes, shared_ == Shared::metadata && end_ > block_bytes_));
  return take(address, bytes);
}

uint64_t AddressBook::take(uint64_t address, uint64_t bytes) {
  shared_ = Shared::nothing;
  end_ = address + bytes;
  return address;
}

Result<uint64_t> AddressBook::next(uint64_t bytes, bool whole_blocks) const {
  if (bytes == 0) return failure(Code::argument, "a variable without bytes has no address; do not place it");
  if (end_ > k_address_limit || bytes > k_address_limit) {
    return failure(Code::limit, "{} bytes after byte {} of the file are beyond its limit of 2^61 bytes",
                   bytes, end_);
  }
  uint64_t address = align_up(end_, whole_blocks ? block_bytes_ : k_alignment_bytes);
  if (address == 0)
    address = block_bytes_;  // it is unknown whether metadata are at the beginning of the file
  if (address > k_address_limit - bytes) {
    return failure(Code::limit, "{} bytes at byte {} of the file would pass its limit of 2^61 bytes", bytes,
                   address);
  }
  return address;
}

void AddressBook::leave_block() {
  end_ = std::max(end_, block_bytes_);
  if (shared_ == Shared::nothing) shared_ = Shared::data;
}

void AddressBook::raise(uint64_t end) {
  if (end <= end_) return;
  end_ = end;
  shared_ = Shared::metadata;
}

}  // namespace scorpio::format
