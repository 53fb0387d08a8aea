#include "storage/atomic_commit.h"

#include <chrono>
#include <thread>
#include <utility>

#include "storage/name_beside.h"
#include "storage/permissions.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {
namespace {

// An attempt fails only if another job renames or removes the temporary file at the same time.
constexpr int k_attempts = 16;
constexpr std::chrono::milliseconds k_pause{2};

Status busy(const std::string& path, const std::string& temporary) {
  return failure(
      Code::busy,
      "{} is being written by another run, or through another handle of this one, which holds its "
      "temporary file {}; wait for that run to end, close that handle, call scorpio_iosystem_wait where its "
      "close was posted through another I/O system, or choose another name",
      path, temporary);
}

// Who opens the file that is replaced may have the lock for a moment.
Status locked(StoredFile& file, const std::string& path, const std::string& temporary) {
  Status status = file.lock_exclusive();
  for (int i = 1; i < k_attempts && status.code() == Code::busy; ++i) {
    std::this_thread::sleep_for(k_pause);
    status = file.lock_exclusive();
  }
  return status.code() == Code::busy ? busy(path, temporary) : status;
}

// Returns no file if the temporary file was removed between two calls.
Result<NewFile> take_over(Store& store, const std::string& path, const std::string& temporary) {
  auto opened = store.open(temporary, OpenMode::read_write);
  if (opened.status().code() == Code::not_found) return NewFile();
  if (!opened.ok()) {
    return opened.status().with_context("a stopped run left the temporary file of " + path +
                                        " and it cannot be replaced; remove it");
  }
  NewFile taken{.file = std::move(opened).value(), .stale_found = temporary};
  SCORPIO_TRY(locked(*taken.file, path, temporary));
  // The lock may be that of a file that its writer has just renamed: truncating it would destroy a complete
  // file.
  SCORPIO_ASSIGN(const bool still_there, taken.file->is_at(temporary));
  if (!still_there) return NewFile();
  SCORPIO_TRY(taken.file->truncate(0));
  return taken;
}

Result<NewFile> attempt(Store& store, const std::string& path, const std::string& temporary) {
  auto made = store.open(temporary, OpenMode::create_new);
  if (made.status().code() == Code::exists) return take_over(store, path, temporary);
  if (!made.ok()) return made.status();
  NewFile fresh{.file = std::move(made).value(), .stale_found = {}};
  const Status status = locked(*fresh.file, path, temporary);
  if (!status.ok()) {
    if (status.code() == Code::busy) return status;  // another job took it over between the two calls
    return first_failure(status, store.remove(temporary));
  }
  // Another job may have taken the file over between the two calls, and have renamed it, removed it, or left
  // it with data.
  SCORPIO_ASSIGN(const bool still_there, fresh.file->is_at(temporary));
  if (!still_there) return NewFile();
  const Result<uint64_t> bytes = fresh.file->size();
  if (!bytes.ok()) return first_failure(bytes.status(), store.remove(temporary));
  return *bytes == 0 ? std::move(fresh) : NewFile();
}

}  // namespace

std::string temporary_name(const std::string& path) { return name_beside(path, ".scorpio-tmp"); }

Result<NewFile> begin_new_file(Store& store, const std::string& path) {
  SCORPIO_TRY(store.check_replaceable(path));
  // The name of the journal is longer than the others, and it is needed only after the data are written.
  SCORPIO_TRY(check_journal_name(path));
  const std::string temporary = temporary_name(path);
  for (int i = 0; i < k_attempts; ++i) {
    SCORPIO_ASSIGN(NewFile made, attempt(store, path, temporary));
    if (made.file != nullptr) return made;
  }
  return busy(path, temporary);
}

Status commit_new_file(Store& store, StoredFile& file, const std::string& path, bool durable) {
  const std::string temporary = temporary_name(path);
  SCORPIO_ASSIGN(const bool still_there, file.is_at(temporary));
  if (!still_there) {
    return failure(Code::io,
                   "the temporary file {} was removed or replaced while it was written: {} was not made",
                   temporary, path);
  }
  const std::string context = "the new file is complete under its temporary name " + temporary;
  if (durable) SCORPIO_TRY(file.sync());
  SCORPIO_TRY(file.check_close().with_context("the new file " + temporary + " did not get the name " + path));
  SCORPIO_TRY(settle_journal(store, path).with_context(context));
  take_over_permissions(path, temporary);
  SCORPIO_TRY(store.rename(temporary, path).with_context(context));
  if (!durable) return {};
  return store.sync_directory_of(path).with_context(
      path + " is complete under its name, which a power failure may take away again");
}

Status remove_if_at(Store& store, StoredFile& file, const std::string& name) {
  SCORPIO_ASSIGN(const bool still_there, file.is_at(name));
  if (!still_there) return {};
  const Status removed = store.remove(name);
  return removed.code() == Code::not_found ? Status() : removed;
}

Status abandon_new_file(Store& store, StoredFile& file, const std::string& path) {
  return remove_if_at(store, file, temporary_name(path));
}

}  // namespace scorpio::storage
