// A queue whose memory is allocated once, in its constructor. Local; one thread.
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace scorpio::async {

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t entries) : entries_(entries) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == entries_.size(); }

  // The queue must not be full.
  void push(T item) {
    assert(!full());
    at(size_++) = std::move(item);
  }
  // The entry number i < size(), counted from the oldest one.
  T& at(size_t i) { return entries_[(first_ + i) % entries_.size()]; }
  // The oldest entry; the queue must not be empty.
  const T& front() const { return entries_[first_]; }
  // Removes it.
  T pop() {
    assert(!empty());
    T item = std::move(at(0));
    first_ = (first_ + 1) % entries_.size();
    --size_;
    return item;
  }

 private:
  std::vector<T> entries_;
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace scorpio::async
