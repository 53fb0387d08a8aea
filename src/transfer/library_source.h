// Reads a variable that has no address in the file, through the format's library. The variable appears as the
// bytes of a file of its own, in row-major order from byte 0. Independent: each I/O rank reads for itself.
#pragma once

#include <memory>
#include <vector>

#include "format/metadata_file.h"
#include "model/variable.h"
#include "storage/sink.h"

namespace scorpio::transfer {

class LibrarySource final : public storage::Source {
 public:
  LibrarySource(format::LibraryReader& reader, const model::Variable& variable)
      : reader_(reader), variable_(variable) {}

  Status read(uint64_t offset, std::span<std::byte> bytes) override;
  bool prefers_whole_ranges() const override { return true; }

 private:
  format::LibraryReader& reader_;
  const model::Variable& variable_;
  std::vector<std::byte> whole_elements_;  // if the range begins or ends within an element
};

}  // namespace scorpio::transfer
