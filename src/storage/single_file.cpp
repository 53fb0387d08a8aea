#include "storage/single_file.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "storage/atomic_commit.h"
#include "storage/undo_journal.h"

namespace scorpio::storage {

namespace {

// The file is locked before it is truncated, because another job may be writing it.
Result<std::shared_ptr<StoredFile>> open_emptied(Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  const auto mode = there ? OpenMode::read_write : OpenMode::create_new;
  SCORPIO_ASSIGN(std::shared_ptr<StoredFile> file, store.open(path, mode));
  SCORPIO_TRY(file->lock_exclusive());
  SCORPIO_TRY(file->truncate(0));
  return file;
}

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

Status busy(const std::string& path) {
  return failure(
      Code::busy,
      "{} is being written by another run, or through another handle of this one; wait for that run to end, "
      "close that handle, call scorpio_iosystem_wait where its close was posted through another I/O system, "
      "or choose another name",
      path);
}

// Takes the lock for a moment. Another job that does so at the same time wants to write the file, too.
Status check_unlocked(Store& store, const std::string& locked, const std::string& path) {
  const auto file = store.open(locked, OpenMode::read_write);
  if (!file.ok()) return {};
  const Status status = (*file)->lock_exclusive();
  (void)(*file)->close();  // nothing was written
  return status.code() == Code::busy ? busy(path) : Status();
}

// Before a new file is begun that replaces the one at `path`: what is put to that through another handle, of
// this process or another one, would be lost.
Status check_idle(Store& store, const std::string& path) {
  const Result<bool> there = store.exists(path);
  if (!there.ok() || !*there) return {};
  if (FilesInWriting::instance().holds(path)) return busy(path);
  SCORPIO_TRY(store.check_replaceable(path));
  return check_unlocked(store, path, path);
}

// Before the file is written in its place: a new one that will replace it may be under way.
Status check_stays(Store& store, const std::string& path) {
  const std::string temporary = temporary_name(path);
  const Result<bool> there = store.exists(temporary);
  return there.ok() && *there ? check_unlocked(store, temporary, path) : Status();
}

}  // namespace

Result<std::unique_ptr<Container>> SingleFile::create(const ContainerContext& context,
                                                      const std::string& path, bool in_place) {
  std::unique_ptr<SingleFile> made(new SingleFile(context.store, path, true));
  if (in_place) {
    SCORPIO_TRY(check_stays(context.store, path));
    SCORPIO_TRY(settle_journal(context.store, path));
    SCORPIO_ASSIGN(auto emptied, open_emptied(context.store, path));
    made->hold(std::move(emptied));
  } else {
    SCORPIO_TRY(check_idle(context.store, path));
    SCORPIO_ASSIGN(NewFile fresh, begin_new_file(context.store, path));
    made->hold(std::move(fresh.file));
    made->late_ = std::make_shared<LateFile>(made->file_);
    made->set_current_path(temporary_name(path));
    context.tell_stale(fresh.stale_found);
  }
  return std::unique_ptr<Container>(std::move(made));
}

Result<std::unique_ptr<Container>> SingleFile::open(const ContainerContext& context, const std::string& path,
                                                    bool writable, bool journal) {
  std::unique_ptr<SingleFile> opened(new SingleFile(context.store, path, writable));
  if (writable && journal) SCORPIO_TRY(check_journal_name(path));
  if (writable) SCORPIO_TRY(check_stays(context.store, path));
  SCORPIO_ASSIGN(const bool restored, recover(context.store, path));
  if (restored)
    context.events.add(fmt::format("{} was restored from the journal of a run that was stopped", path));
  SCORPIO_ASSIGN(std::shared_ptr<StoredFile> file,
                 context.store.open(path, writable ? OpenMode::read_write : OpenMode::read));
  opened->hold(std::move(file));
  if (writable) SCORPIO_TRY(opened->file_->lock_exclusive());
  return std::unique_ptr<Container>(std::move(opened));
}

// The only function that changes the descriptor, because threads with other files compare it with theirs.
void SingleFile::hold(std::shared_ptr<StoredFile> file) {
  file_ = std::move(file);
  FilesInWriting::instance().set(this, writable_ ? file_ : nullptr);
}

Status SingleFile::give_name(bool durable) {
  SCORPIO_TRY(settle_journal(store(), path()));
  SCORPIO_TRY(commit_new_file(store(), *file_, path(), durable));
  set_current_path(path());
  return {};
}

Status SingleFile::abandon() { return abandon_new_file(store(), *file_, path()); }

Status SingleFile::close() {
  const auto file = file_;
  hold(nullptr);
  return file == nullptr ? Status() : file->close();
}

void SingleFile::restore() { (void)recover(store(), path()); }

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
  SCORPIO_ASSIGN(NewFile fresh, begin_new_file(store(), current_path()));
  copy_.reset(new SingleFile(store(), current_path(), true));
  copy_->file_ = std::move(fresh.file);  // no other process writes it: its name is never opened
  copy_->set_current_path(temporary_name(current_path()));
  return copy_.get();
}

Status SingleFile::finish_copy(bool durable) {
  SCORPIO_TRY(copy_->give_name(durable));
  const auto replaced = file_;
  hold(copy_->file_);
  late_.reset();
  (void)replaced->close();  // it has no name any more
  copy_.reset();
  return {};
}

void SingleFile::abandon_copy() {
  if (copy_ == nullptr) return;
  (void)copy_->abandon();
  (void)copy_->close();
  copy_.reset();
}

}  // namespace scorpio::storage
