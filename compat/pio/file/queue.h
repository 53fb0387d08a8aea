// The buffered writes of one file, in the order of the calls, with copies of their data. The data of writes
// that are the same on all ranks (put_var) are kept on the I/O root alone. One thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "pio/file/write.h"

namespace scorpio_pio {

class Queue {
 public:
  void push(Write write, int64_t counted);
  size_t size() const { return writes_.size(); }
  // Discards all writes after the first `writes`.
  void keep_first(size_t writes, IoSystem& system);

  // Is called before the call returns: copies the data of writes that were not carried out. Without memory
  // for them they are discarded, and their code is returned.
  int copy_borrowed(IoSystem& system);

  bool empty() const { return writes_.empty(); }
  int64_t counted_bytes() const { return counted_; }
  // The length of an unlimited dimension after all writes; 0: they append no records.
  int64_t records(int dimension) const;
  // Each unlimited dimension once, as records() says. Is called when the writes are carried out.
  std::vector<Growth> take_records() { return std::exchange(records_, {}); }
  // A hash of the properties that must be equal on all ranks: of all writes, or without the refused ones.
  uint64_t fingerprint(bool with_refused) const;
  bool has_refused() const { return refused_ > 0; }
  void drop_refused(IoSystem& system);

  // Allocates what flush() needs for all writes but those of strings: is called before the ranks agree that
  // they carry out the writes.
  void prepare();
  // Collective: carries out all writes. SCORPIO_ERR_RANGE counts as success here: the next synchronisation
  // point returns it.
  int flush(scorpio_file* file, IoSystem& system);
  // Collective, if the queues of ranks differ: keeps the writes of the rank that has most of them. A rank
  // that does not have one of them writes fill values for it. PIO_EINVAL on all ranks, or 0 if the queues
  // differ only by what the I/O root could not put, which it has already returned. `failed`: a call of this
  // rank has failed.
  int reconcile(IoSystem& system, bool failed);

 private:
  void count_records(const Write& write);
  void discard(Write& write, IoSystem& system);
  void clear(IoSystem& system);

  // Consecutive accesses by one decomposition are one native operation, which takes a record of a variable
  // only once.
  class Operation {
   public:
    bool takes(const Write& write);
    void restart();
    void reserve(size_t writes) { taken_.reserve(writes); }

   private:
    using Taken = std::pair<int, int64_t>;
    const Layout* layout_ = nullptr;
    std::vector<Taken> taken_;  // sorted
  };

  std::vector<Write> writes_;
  std::vector<scorpio_access> accesses_;  // of the operation that flush() makes
  Operation operation_;
  size_t borrowed_ = 0;  // number of writes with the caller's array
  size_t refused_ = 0;
  int64_t counted_ = 0;
  std::vector<Growth> records_;
};

}  // namespace scorpio_pio
