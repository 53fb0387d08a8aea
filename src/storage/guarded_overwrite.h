// Overwrites bytes of a valid file under an undo journal: if the job is killed, or a write fails, the next
// open restores the file. Independent: one rank does it for all.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/byte_range.h"
#include "base/status.h"
#include "storage/store.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {

class GuardedOverwrite {
 public:
  // `what` names the overwritten part in failures, for example "metadata".
  explicit GuardedOverwrite(const char* what) : what_(what) {}

  struct Target {
    Store& store;             // the store of the journal, which is next to the file
    const std::string& name;  // final path of the file
    StoredFile& file;
    uint64_t valid_bytes = 0;  // size of the last valid state
  };
  // Saves `ranges`, calls `write`, and makes the file durable. broken() after a failure in
  // between.
  Status run(const Target& target, std::span<const ByteRange> ranges, const std::function<Status()>& write);

  // Not OK after an overwrite has failed: only the next open can restore the file.
  const Status& broken() const { return broken_; }
  // Closes the file. After such a failure the lock of the journal is released, so that the next open can use
  // the journal.
  Status close(std::unique_ptr<StoredFile>& file);

 private:
  const char* what_;
  std::optional<UndoJournal> journal_;  // the journal of an overwrite that failed
  Status broken_;
};

}  // namespace scorpio::storage
