// Which ranks encode the chunks of a variable, and the memory that they take for it. Local.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/state/file_setting.h"

namespace scorpio::session {

struct Encoders {
  bool alone = false;     // a chunk is longer than a slot: no other rank than the I/O rank has all of it
  uint32_t ranks = 0;     // of a node that wait, and encode beside its I/O ranks
  uint32_t left_out = 0;  // that would take more memory than the staging memory has
  uint64_t bytes = 0;     // that each takes beside the chunk: before and after the last filter
  bool beyond = false;    // that is more than option `chunk_bytes`

  // A clause without a full stop.
  std::string text() const;
};

// None if the variable has no filters. `unit_bytes`: of the units of the file.
std::optional<Encoders> encoders_of(const FileSetting& setting, uint64_t unit_bytes,
                                    const model::Variable& variable);

}  // namespace scorpio::session
