// Copies data to their locations in a file with a new layout. Independent: each I/O rank copies its share.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "format/layout.h"
#include "storage/store.h"

namespace scorpio::transfer {

struct CopyShare {
  int owner = 0;  // the index of this I/O rank among `io_ranks`
  int io_ranks = 1;
  uint64_t unit_bytes = 1u << 20;  // bytes that an I/O rank copies at a time; also the size of its buffer
};

// Bytes that are not stored in the old file (gaps, bytes after its end) are not written to the new one: time
// and space depend on the stored bytes alone, not on the length of `shifts`.
Status copy_shifts(storage::StoredFile& from, storage::StoredFile& to, std::span<const format::Shift> shifts,
                   const CopyShare& share);

// The number of bytes in `shifts`; UINT64_MAX if it is larger.
uint64_t named_bytes(std::span<const format::Shift> shifts);

}  // namespace scorpio::transfer
