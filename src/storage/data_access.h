// The data of an open file as one I/O rank reaches them in the I/O phase: bytes of its raw space (sink.h).
// Independent; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/container.h"
#include "storage/sink.h"
#include "storage/store.h"

namespace scorpio::storage {

// Where a piece of raw space that is stored as a whole (a chunk) lies in the file.
struct IndexEntry {
  uint64_t begin = 0;    // of the piece in raw space
  uint64_t address = 0;  // in the file
  uint64_t bytes = 0;    // as stored
  uint32_t skipped = 0;  // bit i: filter i of the variable was left out
  // Where it lay before, and as what; no bytes: nowhere.
  uint64_t old_address = 0;
  uint64_t old_bytes = 0;

  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

class DataAccess : public Sink, public Source {
 public:
  // On the rank that has the container open: to use what is open there, instead of opening it again. The
  // container closes it.
  virtual void adopt(const Container& container) = 0;
  // For others of this rank who read the one file that has the data, until close(); opens it if need be.
  // Fails where they are in a folder of objects.
  virtual Result<std::unique_ptr<StoredFile>> share() = 0;
  // The data are under this name now.
  virtual void set_path(std::string path) = 0;
  // What was written survives a power failure. Fine when nothing was.
  virtual Status sync() = 0;
  // What was written is in storage, and what close() would say of it.
  virtual Status check_close() = 0;
  // Where pieces may be written before a synchronisation point gives them a place: ranges of `region_bytes`
  // bytes, the first at `begin`, then each `stride_bytes` behind the one before.
  struct Arena {
    uint64_t begin = 0;
    uint64_t region_bytes = 0;
    uint64_t stride_bytes = 0;

    friend bool operator==(const Arena&, const Arena&) = default;
  };

  // ---- pieces that are stored as a whole, at places that follow from what became of them ----
  // Definitions were made: what is written from now on may be of new variables.
  virtual void follow() {}
  // Bytes of pieces that have no place in the file yet. check_close() has ended all pieces that are not
  // complete.
  virtual uint64_t unplaced_bytes() const { return 0; }
  // Writes them from `address` on.
  virtual Status place(uint64_t /*address*/) { return {}; }
  // It may use this arena, and no other one, from now on.
  virtual void use_arena(const Arena& /*arena*/) {}
  // One past the last byte that it has used of the arena; 0: none.
  virtual uint64_t arena_end() const { return 0; }
  // Whether take_index() would give something.
  virtual bool has_index() const { return false; }
  // Where pieces were placed since the last call, for the metadata.
  virtual std::vector<IndexEntry> take_index() { return {}; }

  // What was written since check_close() may be lost.
  virtual Status close() = 0;
};

}  // namespace scorpio::storage
