#include "storage/guarded_overwrite.h"

namespace scorpio::storage {

Status GuardedOverwrite::run(const Target& target, std::span<const ByteRange> ranges,
                             const std::function<Status()>& write) {
  SCORPIO_ASSIGN(journal_,
                 UndoJournal::write(target.store, target.name, target.file, ranges, target.valid_bytes));
  Status status = write();
  if (status.ok()) status = journal_->finish(target.file);
  if (status.ok() || journal_->removed()) {
    journal_.reset();
  } else {
    broken_ = status.with_context(
        fmt::format("the file holds half of a change of its {}, which the next open undoes", what_));
  }
  return status;
}

Status GuardedOverwrite::close(std::unique_ptr<StoredFile>& file) {
  if (file == nullptr) return {};
  journal_.reset();
  Status status = file->close();
  file.reset();
  return status;
}

}  // namespace scorpio::storage
