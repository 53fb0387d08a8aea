// Reads a variable that has no plain address, through the format's library, as if it lay row-major from byte
// 0 of a file of its own. Independent: each I/O rank by itself.
#pragma once

#include <memory>
#include <vector>

#include "format/metadata_file.h"
#include "model/schema.h"
#include "storage/sink.h"

namespace scorpio::transfer {

class LibrarySource final : public storage::Source {
 public:
  LibrarySource(format::LibraryReader& reader, const model::Variable& variable)
      : reader_(reader), variable_(variable) {}

  Status read(uint64_t offset, std::span<std::byte> bytes) override;

 private:
  format::LibraryReader& reader_;
  const model::Variable& variable_;
  std::vector<std::byte> whole_elements_;  // when the range cuts elements
};

}  // namespace scorpio::transfer
