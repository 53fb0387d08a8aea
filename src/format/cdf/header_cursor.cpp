#include "format/cdf/header_cursor.h"

#include <algorithm>

#include "format/cdf/geometry.h"

namespace scorpio::format::cdf {

HeaderCursor::HeaderCursor(HeaderSource& source, uint64_t limit_bytes, size_t piece_bytes)
    : source_(source), end_(std::min(source.size_bytes(), limit_bytes)), piece_bytes_(piece_bytes) {}

void HeaderCursor::fail(Status why) {
  if (status_.ok()) status_ = std::move(why);
}

size_t HeaderCursor::available() {
  if (!ok() || left() == 0) return 0;
  if (piece_next_ == piece_.size()) {
    piece_.resize(static_cast<size_t>(std::min<uint64_t>(piece_bytes_, left())));
    piece_next_ = 0;
    fail(source_.read(position_, piece_));
  }
  return ok() ? piece_.size() - piece_next_ : 0;
}

uint64_t HeaderCursor::integer(unsigned width) {
  if (ok() && left() < width) {
    fail(failure(Code::format,
                 "the header ends at byte {} inside a field of {} bytes that begins at byte {}: the "
                 "file is cut off, or longer than a header may be",
                 end_, width, position_));
  }
  uint64_t value = 0;
  for (unsigned i = 0; i < width && available() > 0; ++i) {
    value = value << 8 | static_cast<uint64_t>(piece_[piece_next_++]);
    ++position_;
  }
  return ok() ? value : 0;
}

uint64_t HeaderCursor::items(const char* what, uint64_t item_bytes) {
  const uint64_t at = position_;
  const uint64_t number = count();
  if (!ok() || number <= left() / item_bytes) return number;
  fail(failure(Code::format,
               "the header claims at byte {} to have {} {}, at least {} bytes each, but only {} bytes "
               "follow",
               at, number, what, item_bytes, left()));
  return 0;
}

template <typename Container>
void HeaderCursor::append(Container& out, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes;) {
    const size_t part = static_cast<size_t>(std::min<uint64_t>(available(), bytes - done));
    if (part == 0) return;
    const auto* first = reinterpret_cast<const typename Container::value_type*>(piece_.data() + piece_next_);
    out.insert(out.end(), first, first + part);
    piece_next_ += part;
    position_ += part;
    done += part;
  }
  skip_padding();
}

void HeaderCursor::skip_padding() {
  while (ok() && position_ % k_padding_bytes != 0) (void)integer(1);
}

std::string HeaderCursor::text(const char* what) {
  std::string out;
  append(out, items(what, 1));
  return out;
}

std::vector<std::byte> HeaderCursor::raw(uint64_t bytes) {
  std::vector<std::byte> out;
  append(out, bytes);
  return out;
}

}  // namespace scorpio::format::cdf
