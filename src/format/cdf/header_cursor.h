// Reads the fields of a classic netCDF header one after the other, from a file that is read in pieces. Local;
// thread-compatible. After the first failure, which status() keeps, all fields are zero or empty, so that
// callers need to check the status only in loops. No memory is allocated for bytes that the file does not
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "format/cdf/header.h"
#include "format/cdf/header_fields.h"
#include "format/cdf/header_source.h"

namespace scorpio::format::cdf {

class HeaderCursor {
 public:
  // Reads at most `limit_bytes` of the file, in pieces of up to `piece_bytes` (> 0).
  HeaderCursor(HeaderSource& source, uint64_t limit_bytes, size_t piece_bytes);

  void set_version(Version version) { widths_ = widths(version); }

  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }
  uint64_t position() const { return position_; }
  // Keeps `why` as the failure, unless there is one already.
  void fail(Status why);

  uint32_t word() { return static_cast<uint32_t>(integer(4)); }
  uint64_t count() { return integer(widths_.count); }
  uint64_t offset() { return integer(widths_.offset); }
  unsigned count_bytes() const { return widths_.count; }
  unsigned offset_bytes() const { return widths_.offset; }

  // The number of the following items, each of at least `item_bytes`; 0 and a failure if the file is too
  // short for them.
  uint64_t items(const char* what, uint64_t item_bytes);
  // A number of bytes, followed by these bytes and padding.
  std::string text(const char* what);
  // `bytes` bytes with padding; their number was checked by items().
  std::vector<std::byte> raw(uint64_t bytes);

 private:
  uint64_t left() const { return end_ - position_; }
  uint64_t integer(unsigned width);
  // Appends `bytes` bytes as they are read.
  template <typename Container>
  void append(Container& out, uint64_t bytes);
  void skip_padding();
  // The number of bytes of the current piece that are not read yet; 0 only after a failure or at the end.
  size_t available();

  HeaderSource& source_;
  uint64_t end_;
  size_t piece_bytes_;
  std::vector<std::byte> piece_;
  size_t piece_next_ = 0;
  uint64_t position_ = 0;
  Widths widths_ = widths(Version::cdf1);
  Status status_;
};

}  // namespace scorpio::format::cdf
