#include "transfer/library_source.h"

#include <cstring>

namespace scorpio::transfer {

Status LibrarySource::read(uint64_t offset, std::span<std::byte> bytes) {
  const uint64_t size = variable_.type.size_bytes;
  const uint64_t first = offset / size;
  const uint64_t end = (offset + bytes.size() + size - 1) / size;
  const auto count = static_cast<int64_t>(end - first);
  if (offset % size == 0 && bytes.size() % size == 0) {
    return reader_.read(variable_, static_cast<int64_t>(first), count, bytes.data());
  }
  whole_elements_.resize((end - first) * size);
  SCORPIO_TRY(reader_.read(variable_, static_cast<int64_t>(first), count, whole_elements_.data()));
  std::memcpy(bytes.data(), whole_elements_.data() + offset % size, bytes.size());
  return {};
}

}  // namespace scorpio::transfer
