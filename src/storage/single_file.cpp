#include "storage/single_file.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "storage/atomic_commit.h"
#include "storage/locked_name.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {

namespace {

// The files that this process writes, in all threads. Finding them by their locks in the file system would
// open every file once more.
class FilesInWriting {
 public:
  static FilesInWriting& instance() {
    static auto* const all = new FilesInWriting;  // files may be closed while the process exits
    return *all;
  }

  // Records `file` as that of `owner`, in place of the previous one; null: none.
  void set(const SingleFile* owner, std::shared_ptr<StoredFile> file) {
    const MutexLock lock(mutex_);
    files_.erase(owner);
    if (file != nullptr) files_.emplace(owner, std::move(file));
  }

  // Of a path that exists. The files cannot be closed during the call, because an owner removes its file
  // before.
  bool holds(const std::string& path) {
    const MutexLock lock(mutex_);
    return std::any_of(files_.begin(), files_.end(), [&path](const auto& entry) {
      const Result<bool> same = entry.second->is_at(path);
      return same.ok() && *same;
    });
  }

 private:
  Mutex mutex_;
  std::map<const SingleFile*, std::shared_ptr<StoredFile>> files_ GUARDED_BY(mutex_);
};

// Before a new file is begun. Of a file system without locks, what this process writes.
Status check_idle(Store& store, const std::string& path) {
  const Result<bool> there = store.exists(path);
  return there.ok() && *there && FilesInWriting::instance().holds(path) ? being_written(path) : Status();
}

// Before a file is read. What this process has written of a new file, perhaps all of it, is under the
// temporary name; under the path there is an earlier file, or none.
Status check_named(Store& store, const std::string& path) {
  return check_idle(store, temporary_name(path)).ok() ? Status() : being_written(path);
}

// Whether another run has the lock of the file `locked`, if there is one. Those that only read it have none
// that counts, also where a network file system treats the locks of HDF5 as ours.
Status check_unlocked(Store& store, const std::string& locked, const std::string& path) {
  return is_locked_elsewhere(store, locked) ? being_written(path) : Status();
}

// Who opens a file for writing takes its lock, and then looks for the lock of a new file that will replace
// it; who begins a new file takes the lock of that, and then looks for the lock of the file that it replaces.
// So one of them finds the other, and nothing is put to a file that is replaced. The result is whether the
// file still is at its path: it may be renamed or replaced between its open and its lock.
Result<bool> lock_for_writing(Store& store, StoredFile& file, const std::string& path) {
  SCORPIO_TRY(file.lock_exclusive());
  SCORPIO_TRY(check_unlocked(store, temporary_name(path), path));
  return file.is_at(path);
}

Result<std::shared_ptr<StoredFile>> open_locked(Store& store, const std::string& path) {
  auto file = until_there(k_not_waiting, [&]() -> Result<std::shared_ptr<StoredFile>> {
    SCORPIO_ASSIGN(std::shared_ptr<StoredFile> opened, store.open(path, OpenMode::read_write));
    SCORPIO_ASSIGN(const bool still_there, lock_for_writing(store, *opened, path));
    if (!still_there) opened.reset();
    return opened;
  });
  return file.ok() && *file == nullptr ? being_written(path) : std::move(file);
}

struct PlacedFile {
  std::shared_ptr<StoredFile> file;  // locked
  bool made = false;                 // there was none before
};

Result<PlacedFile> open_in_place(const ContainerContext& context, const std::string& path) {
  Store& store = context.store;
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  std::string refused = there ? "files that exist keep their stripes when they are replaced" : "";
  const bool stripes = context.striping.asked();
  SCORPIO_ASSIGN(std::shared_ptr<StoredFile> file,
                 stripes && !there ? store.create_striped(path, context.striping, refused)
                                   : store.open(path, there ? OpenMode::read_write : OpenMode::create_new));
  if (stripes) context.tell_refused(path, refused);
  const Result<bool> locked = lock_for_writing(store, *file, path);
  if (locked.ok() && *locked) return PlacedFile{std::move(file), !there};
  const Status failed = locked.ok() ? being_written(path) : locked.status();
  // The lock is that of another job, which has the file that was made here.
  if (there || failed.code() == Code::busy) return failed;
  return first_failure(failed, remove_if_at(store, *file, path));
}

}  // namespace

Result<std::unique_ptr<Container>> SingleFile::create(const ContainerContext& context,
                                                      const std::string& path, bool in_place) {
  std::unique_ptr<SingleFile> made(new SingleFile(context, path, true));
  if (in_place) {
    SCORPIO_TRY(settle_journal(context.store, path, context.writer));
    SCORPIO_ASSIGN(PlacedFile placed, open_in_place(context, path));
    made->hold(std::move(placed.file));
    made->own_ = placed.made;
  } else {
    SCORPIO_TRY(check_idle(context.store, path));
    // A journal that cannot be settled is found here and not when the data have been put.
    const auto ready = [&]() -> Status {
      SCORPIO_TRY(check_unlocked(context.store, path, path));
      return recover_replaced(context.store, path, context.writer);
    };
    SCORPIO_ASSIGN(NewFile fresh, begin_new_file(context.store, path, context.striping, ready));
    made->hold(std::move(fresh.file));
    made->late_ = std::make_shared<LateFile>(made->file_);
    made->set_current_path(temporary_name(path));
    context.tell_stale(fresh.stale_found);
    context.tell_refused(path, fresh.stripes_refused);
  }
  return std::unique_ptr<Container>(std::move(made));
}

Result<std::unique_ptr<Container>> SingleFile::open(const ContainerContext& context, const std::string& path,
                                                    bool writable, bool journal) {
  std::unique_ptr<SingleFile> opened(new SingleFile(context, path, writable));
  if (writable && journal) SCORPIO_TRY(check_journal_name(path));
  // A reader waits until the metadata are complete; a second writer is refused in any case.
  SCORPIO_ASSIGN(const bool restored,
                 recover(context.store, path, context.writer, writable ? k_usual_patience : k_long_patience));
  if (restored)
    context.events.add(fmt::format("{} was restored from the journal of a run that was stopped", path));
  if (writable) {
    SCORPIO_ASSIGN(auto file, open_locked(context.store, path));
    opened->hold(std::move(file));
  } else {
    SCORPIO_TRY(check_named(context.store, path));
    SCORPIO_ASSIGN(std::shared_ptr<StoredFile> file, context.store.open(path, OpenMode::read));
    opened->hold(std::move(file));
  }
  return std::unique_ptr<Container>(std::move(opened));
}

// The only function that changes the descriptor, because threads with other files compare it with theirs.
void SingleFile::hold(std::shared_ptr<StoredFile> file) {
  file_ = std::move(file);
  FilesInWriting::instance().set(this, writable_ ? file_ : nullptr);
}

Status SingleFile::give_name(bool durable) {
  SCORPIO_TRY(complete_new_file(*file_, path(), durable));
  complete_ = true;
  const Status named = take_final_name();
  if (!named.ok()) {
    set_current_path(keep_new_file(store(), path()));
    return named.with_context("the new file is complete and is now " + current_path() +
                              ", because it does not get its name; rename it when the cause is gone");
  }
  return durable ? sync_new_name(store(), path()) : Status();
}

// Of a complete file.
Status SingleFile::take_final_name() {
  SCORPIO_TRY(name_new_file(store(), path(), writer_));
  set_current_path(path());
  return {};
}

// The file was locked before, because another job might be writing it.
Status SingleFile::take_place() {
  if (temporary() || own_) return {};
  SCORPIO_TRY(file_->truncate(0));
  own_ = true;
  return {};
}

Status SingleFile::abandon() {
  if (temporary() && complete_) return {};
  if (temporary()) return abandon_new_file(store(), *file_, path());
  return own_ ? remove_if_at(store(), *file_, path()) : Status();
}

Status SingleFile::close() {
  const auto file = file_;
  hold(nullptr);
  return file == nullptr ? Status() : file->close();
}

void SingleFile::restore() { (void)recover(store(), path(), Writer::has_ended); }

// If the file system does not report its free space, the copy is tried: if it fails, the file is unchanged.
Status SingleFile::check_room(uint64_t bytes) {
  const Result<uint64_t> stored = file_->allocated_bytes();
  const Result<FileSystemFacts> known = file_->facts();
  if (!stored.ok() || !known.ok()) return {};
  const uint64_t needed = std::min(bytes, *stored);
  if (needed <= known->free_bytes) return {};
  return failure(
      Code::no_space,
      "the data of {} must be moved to make room for its definitions: the copy needs {} bytes, its file "
      "system has {}; free space, or create such files with option header_free",
      path(), needed, known->free_bytes);
}

Result<Container*> SingleFile::begin_copy(uint64_t bytes) {
  SCORPIO_TRY(check_room(bytes));
  SCORPIO_ASSIGN(NewFile fresh, begin_new_file(store(), current_path(), striping_));
  copy_.reset(new SingleFile(store(), current_path(), true, striping_, writer_));
  copy_->file_ = std::move(fresh.file);  // no other process writes it: its name is never opened
  copy_->set_current_path(temporary_name(current_path()));
  return copy_.get();
}

Status SingleFile::finish_copy(bool durable) {
  SCORPIO_TRY(complete_new_file(*copy_->file_, copy_->path(), durable));
  SCORPIO_TRY(copy_->take_final_name());
  const auto replaced = file_;
  hold(copy_->file_);
  late_.reset();
  (void)replaced->close();  // it has no name any more
  copy_.reset();
  return durable ? sync_new_name(store(), current_path()) : Status();
}

void SingleFile::abandon_copy() {
  if (copy_ == nullptr) return;
  (void)copy_->abandon();
  (void)copy_->close();
  copy_.reset();
}

}  // namespace scorpio::storage
