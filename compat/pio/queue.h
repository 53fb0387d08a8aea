// The writes of one file that wait for the next call that carries them out: copies of the data, in the order
// of the calls. Of what all ranks write alike (put_var) the I/O root alone holds data. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "buffers.h"
#include "layout.h"
#include "scorpio/access.h"

namespace scorpio_pio {

// One write. By a layout, or of a hyperslab.
struct Write {
  int variable = 0;
  scorpio_type type = SCORPIO_INT32;
  size_t element_bytes = 0;
  std::shared_ptr<Layout> layout;
  int64_t record = 0;
  std::vector<std::byte> fill;                // one element
  std::vector<int64_t> start, count, stride;  // empty stride: 1
  int64_t records = 0;                        // of the file after it
  Buffer data;
  // In place of `data`: the caller's array of `bytes` bytes, in a call that is to carry the write out.
  const std::byte* borrowed = nullptr;
  size_t bytes = 0;

  const std::byte* values() const { return borrowed != nullptr ? borrowed : data.get(); }
};

class Queue {
 public:
  // `counted`: bytes as all ranks count them.
  void push(Write write, int64_t counted);

  // Before the call returns: copies what could not be carried out.
  void copy_borrowed(IoSystem& system);

  bool empty() const { return writes_.empty(); }
  int64_t counted_bytes() const { return counted_; }
  // Of the file when all writes have been carried out; 0: they append none.
  int64_t records() const { return records_; }
  // What all ranks must have alike.
  uint64_t fingerprint() const;

  // Collective: carries out all writes. SCORPIO_ERR_RANGE counts as success here: the next synchronisation
  // point returns it.
  int flush(scorpio_file* file, IoSystem& system);
  // Collective, where the queues of ranks differ: keeps the writes of the rank that has most of them. A rank
  // that lacks one writes fill values for it. PIO_EINVAL on all ranks.
  int reconcile(IoSystem& system);

 private:
  void clear(IoSystem& system);

  std::vector<Write> writes_;
  int64_t counted_ = 0;
  int64_t records_ = 0;
};

}  // namespace scorpio_pio
