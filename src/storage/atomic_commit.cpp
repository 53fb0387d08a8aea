#include "storage/atomic_commit.h"

#include <utility>

#include "storage/locked_name.h"
#include "storage/name_beside.h"
#include "storage/permissions.h"

namespace scorpio::storage {
namespace {

using File = std::unique_ptr<StoredFile>;

// Returns no file if the temporary file was renamed or removed between two calls.
Result<File> take_over(Store& store, const std::string& path, const std::string& temporary) {
  auto opened = store.open(temporary, OpenMode::left_behind);
  if (opened.status().code() == Code::not_found) return File();
  if (!opened.ok()) {
    return opened.status().with_context("a stopped run left the temporary file of " + path +
                                        " and it cannot be replaced; remove it");
  }
  // The lock may be that of a file that its writer has just renamed: truncating it would destroy a complete
  // file.
  SCORPIO_ASSIGN(const bool there, lock_name(store, **opened, temporary, false, k_usual_patience));
  return there ? std::move(opened).value() : File();
}

// The same. `stale`: whether it is that of a killed job, which has its stripes already.
Result<File> attempt(Store& store, const std::string& path, const std::string& temporary,
                     const Striping& striping, bool& stale, std::string& refused) {
  auto made = striping.asked() ? store.create_striped(temporary, striping, refused)
                               : store.open(temporary, OpenMode::create_new);
  stale = made.status().code() == Code::exists;
  if (stale) return take_over(store, path, temporary);
  if (!made.ok()) return made;
  // Another job may have taken the file over before it was locked, and have renamed it, removed it, or left
  // it with data.
  SCORPIO_ASSIGN(const bool there, lock_name(store, **made, temporary, true, k_usual_patience));
  if (!there) return File();
  const Result<uint64_t> bytes = (*made)->size();
  if (!bytes.ok()) return first_failure(bytes.status(), store.remove(temporary));
  return *bytes == 0 ? std::move(made).value() : File();
}

}  // namespace

std::string temporary_name(const std::string& path) { return name_beside(path, ".scorpio-tmp"); }

Result<NewFile> begin_new_file(Store& store, const std::string& path, const Striping& striping,
                               const std::function<Status()>& check) {
  SCORPIO_TRY(store.check_replaceable(path));
  // The name of the journal is longer than the others, and it is needed only after the data are written.
  SCORPIO_TRY(check_journal_name(path));
  const std::string temporary = temporary_name(path);
  NewFile fresh;
  bool stale = false;
  auto made = until_there(k_usual_patience, [&] {
    return attempt(store, path, temporary, striping, stale, fresh.stripes_refused);
  });
  const bool busy = made.ok() ? *made == nullptr : made.status().code() == Code::busy;
  if (busy) return being_written(path, "its temporary file " + temporary);
  if (!made.ok()) return made.status();
  fresh.file = std::move(made).value();
  const Status checked = check ? check() : Status();
  if (!checked.ok() && stale) return checked;
  if (!checked.ok()) return first_failure(checked, abandon_new_file(store, *fresh.file, path));
  if (stale) SCORPIO_TRY(fresh.file->truncate(0));
  if (stale) fresh.stale_found = temporary;
  return fresh;
}

Status complete_new_file(StoredFile& file, const std::string& path, bool durable) {
  const std::string temporary = temporary_name(path);
  SCORPIO_ASSIGN(const bool still_there, file.is_at(temporary));
  if (!still_there) {
    return failure(Code::io,
                   "the temporary file {} was removed or replaced while it was written: {} was not made",
                   temporary, path);
  }
  if (durable) SCORPIO_TRY(file.sync());
  return file.check_close().with_context("the new file " + temporary + " did not get the name " + path);
}

Status name_new_file(Store& store, const std::string& path, Writer writer) {
  SCORPIO_TRY(settle_journal(store, path, writer));
  const std::string temporary = temporary_name(path);
  take_over_permissions(path, temporary);
  return store.rename(temporary, path);
}

std::string keep_new_file(Store& store, const std::string& path) {
  const std::string temporary = temporary_name(path), kept = name_beside(path, ".scorpio-complete");
  const Result<bool> taken = store.exists(kept);
  return taken.ok() && !*taken && store.rename(temporary, kept).ok() ? kept : temporary;
}

Status sync_new_name(Store& store, const std::string& path) {
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
