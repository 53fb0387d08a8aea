// Copies data to where they lie in the next form of a file. Independent: each I/O rank does its share.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "format/layout.h"
#include "storage/store.h"

namespace scorpio::transfer {

struct CopyShare {
  int owner = 0;  // this one of `io_ranks` copies; together they copy all
  int io_ranks = 1;
  uint64_t unit_bytes = 1u << 20;  // what one of them copies at a time; also the memory it takes
};

// What the old file does not have (holes, behind its end) is not written to the new one either: time and room
// are those of what is stored, however much `shifts` name.
Status copy_shifts(storage::StoredFile& from, storage::StoredFile& to, std::span<const format::Shift> shifts,
                   const CopyShare& share);

// All that `shifts` name; UINT64_MAX if it is more.
uint64_t named_bytes(std::span<const format::Shift> shifts);

}  // namespace scorpio::transfer
