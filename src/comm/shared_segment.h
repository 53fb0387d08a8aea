// A segment of memory that all ranks of a node share, aligned to pages, and allocated when it is created (not
// at the first access). For a node of one rank it is private memory, which is allocated at the first access.
// Released by the destructor, which does not communicate.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "comm/communicator.h"

namespace scorpio::comm {

class SharedSegment {
 public:
  SharedSegment() = default;
  SharedSegment(SharedSegment&& other) noexcept;
  SharedSegment& operator=(SharedSegment&& other) noexcept;
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;
  ~SharedSegment();

  // Collective over `node`; `bytes` equal on all its ranks. Zero-filled. The same status on all ranks of the
  // node; the text of Code::memory says how much was requested and where memory is missing.
  static Result<SharedSegment> create(const Communicator& node, size_t bytes);

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  SharedSegment(std::byte* data, size_t size) : data_(data), size_(size) {}
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace scorpio::comm
