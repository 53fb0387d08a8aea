#include "session/metadata_owner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "format/registry.h"
#include "session/iosystem.h"
#include "storage/atomic_commit.h"
#include "storage/path.h"
#include "storage/shared_file.h"
#include "storage/undo_journal.h"

namespace scorpio::session {

namespace {

// Locked before it is emptied: another run may be writing it.
Result<std::shared_ptr<storage::StoredFile>> open_emptied(storage::Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool there, store.exists(path));
  const auto mode = there ? storage::OpenMode::read_write : storage::OpenMode::create_new;
  SCORPIO_ASSIGN(std::shared_ptr<storage::StoredFile> file, store.open(path, mode));
  SCORPIO_TRY(file->lock_exclusive());
  SCORPIO_TRY(file->truncate(0));
  return file;
}

// The files that this process writes, in whatever thread. To ask the file system for the locks of others
// would take one more open of every file.
class FilesInWriting {
 public:
  static FilesInWriting& instance() {
    static auto* const all = new FilesInWriting;  // files may be closed while the process exits
    return *all;
  }

  // `file`, from here on, in place of what the owner held before; null: none.
  void set(const MetadataOwner* owner, std::shared_ptr<storage::StoredFile> file) {
    const MutexLock lock(mutex_);
    files_.erase(owner);
    if (file != nullptr) files_.emplace(owner, std::move(file));
  }

  // None of them is closed meanwhile: its owner takes it out before.
  Result<bool> holds(storage::Store& store, const std::string& path) {
    const MutexLock lock(mutex_);
    if (files_.empty()) return false;
    SCORPIO_ASSIGN(const bool there, store.exists(path));  // one look instead of one for each open file
    if (!there) return false;
    return std::any_of(files_.begin(), files_.end(), [&path](const auto& entry) {
      const Result<bool> same = entry.second->is_at(path);
      return same.ok() && *same;
    });
  }

 private:
  Mutex mutex_;
  std::map<const MetadataOwner*, std::shared_ptr<storage::StoredFile>> files_ GUARDED_BY(mutex_);
};

// Its data would end in no file.
Status check_idle(storage::Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool busy, FilesInWriting::instance().holds(store, path));
  if (!busy) return {};
  return failure(Code::busy, "{} is being written through another handle; close that, or choose another name",
                 path);
}

Result<const format::Format*> find_format(storage::StoredFile& file) {
  std::array<std::byte, format::k_detect_bytes> first{};
  SCORPIO_ASSIGN(const size_t there, file.read_at(first, 0));
  return &format::detect({first.data(), there});
}

}  // namespace

MetadataOwner::MetadataOwner(const Context& context, std::string path)
    : context_(context), path_(std::move(path)), current_path_(path_) {}

MetadataOwner::~MetadataOwner() { hold(nullptr); }

// The one place that changes the descriptor: threads with other files ask whether it is their file.
void MetadataOwner::hold(std::shared_ptr<storage::StoredFile> file) {
  descriptor_ = std::move(file);
  FilesInWriting::instance().set(this, writable_ ? descriptor_ : nullptr);
}

uint64_t MetadataOwner::block_bytes() {
  if (block_bytes_ == 0) block_bytes_ = context_.options->bytes(Option::block_bytes);
  if (block_bytes_ == 0) {
    const Result<storage::FileSystemFacts> facts = descriptor_->facts();
    block_bytes_ = std::bit_ceil(std::max(facts.ok() ? facts->block_bytes : 0, k_unknown_block));
  }
  return block_bytes_;
}

format::MetadataOptions MetadataOwner::metadata_options() {
  format::MetadataOptions options;
  options.durable = context_.options->boolean(Option::durable);
  options.block_bytes = block_bytes();
  return options;
}

// Commits behind the first change a valid file, if that has its final name by then.
storage::Store* MetadataOwner::journal_store() const {
  const bool named = opened_ || context_.options->choice(Option::file_name) == "sync";
  return named && context_.options->boolean(Option::journal) ? context_.store : nullptr;
}

namespace {

Status check_free(storage::Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool taken, store.exists(path));
  if (!taken) return {};
  return failure(Code::exists,
                 "{} is there already and stays, because option replace is false; choose another name", path);
}

}  // namespace

Result<std::unique_ptr<MetadataOwner>> MetadataOwner::create(const Context& context,
                                                             const std::string& path) {
  std::unique_ptr<MetadataOwner> owner(new MetadataOwner(context, path));
  storage::Store& store = *context.store;
  if (!context.options->boolean(Option::replace)) SCORPIO_TRY(check_free(store, path));
  if (context.options->boolean(Option::eager)) {
    // A client holds the id of the file under its name: there is no room for a temporary.
    SCORPIO_TRY(storage::settle_journal(store, path));
    SCORPIO_ASSIGN(auto emptied, open_emptied(store, path));
    owner->hold(std::move(emptied));
  } else {
    SCORPIO_TRY(check_idle(store, path));
    SCORPIO_ASSIGN(storage::NewFile fresh, storage::begin_new_file(store, path));
    owner->hold(std::move(fresh.file));
    owner->current_path_ = storage::temporary_name(path);
    if (!fresh.stale_found.empty()) {
      ++context.counters->stale_found;
      context.events->add(
          fmt::format("{} was left by a run that was stopped; it is replaced", fresh.stale_found));
    }
  }
  owner->format_ = &format::format_named(context.options->choice(Option::format));
  SCORPIO_TRY(owner->make_library(owner->descriptor_, false));
  return owner;
}

// For a file that is empty yet. `data_missing`: in the one that it is a copy of.
Status MetadataOwner::make_library(std::shared_ptr<storage::StoredFile> file, bool data_missing) {
  format::MetadataOptions metadata = metadata_options();
  metadata.data_missing = data_missing;
  metadata.undo_journal = journal_store() != nullptr;
  metadata.temporary = temporary();
  const format::FileRequest request{
      .path = path_, .options = *context_.options, .metadata = metadata, .store = journal_store()};
  SCORPIO_ASSIGN(library_, format_->create(std::make_unique<storage::SharedFile>(std::move(file)), request));
  return {};
}

Result<std::unique_ptr<MetadataOwner>> MetadataOwner::open(const Context& context, const std::string& given,
                                                           bool writable) {
  // Journal and temporary lie beside the file itself, by whichever name it is opened.
  const std::string path = storage::followed(given);
  std::unique_ptr<MetadataOwner> owner(new MetadataOwner(context, path));
  storage::Store& store = *context.store;
  owner->writable_ = writable;
  owner->opened_ = true;
  if (writable && owner->journal_store() != nullptr) SCORPIO_TRY(storage::check_journal_name(path));
  SCORPIO_ASSIGN(const bool restored, storage::recover(store, path));
  if (restored)
    context.events->add(fmt::format("{} was restored from the journal of a run that was stopped", path));
  SCORPIO_ASSIGN(std::shared_ptr<storage::StoredFile> file,
                 store.open(path, writable ? storage::OpenMode::read_write : storage::OpenMode::read));
  owner->hold(std::move(file));
  if (writable) SCORPIO_TRY(owner->descriptor_->lock_exclusive());
  format::MetadataOptions options = owner->metadata_options();
  options.undo_journal = writable && owner->journal_store() != nullptr;
  SCORPIO_ASSIGN(owner->format_, find_format(*owner->descriptor_));
  const format::FileRequest request{
      .path = path, .options = *context.options, .metadata = options, .store = &store, .writable = writable};
  SCORPIO_ASSIGN(owner->library_,
                 owner->format_->open(std::make_unique<storage::SharedFile>(owner->descriptor_), request));
  SCORPIO_TRY(owner->tell_missing_data());
  return owner;
}

// Legal, because what nobody writes need not be in a file; and what a file looks like that was cut off.
Status MetadataOwner::tell_missing_data() {
  SCORPIO_ASSIGN(const uint64_t missing, library_->missing_bytes());
  if (missing == 0) return {};
  const std::string lacks =
      fmt::format("{} lacks {} bytes of the data that its header describes", path_, missing);
  if (context_.options->boolean(Option::strict)) {
    return failure(
        Code::format,
        "{}: it was cut off, or they were never written; get all of the file, or open it without option "
        "strict, and they read as zeros",
        lacks);
  }
  context_.counters->missing_bytes += missing;
  context_.events->add(lacks + ": it was cut off, or they were never written; they read as zeros");
  return {};
}

void MetadataOwner::count() {
  const format::MetadataCounters& now = library_->counters();
  context_.counters->metadata_writes += now.writes - counted_.writes;
  context_.counters->metadata_bytes += now.bytes_written - counted_.bytes_written;
  context_.counters->relocated += now.relocated - counted_.relocated;
  relocated_ = relocated_ || now.relocated > counted_.relocated;
  counted_ = now;
}

Status MetadataOwner::apply(model::Schema& schema, format::Layout& layout) {
  const observe::Timer timer(context_.counters->time_metadata_ns);
  const Status status = library_->apply(schema, layout.placements(), layout.end_of_data(schema));
  count();
  return status;
}

Status MetadataOwner::flush() {
  const observe::Timer timer(context_.counters->time_metadata_ns);
  const Status status = library_->flush();
  count();
  return status;
}

Status MetadataOwner::commit(model::Schema& schema, format::Layout& layout, Naming naming) {
  Status made = apply(schema, layout);
  if (made.ok()) made = flush();
  if (made.ok() && naming == Naming::last) made = close_library();  // it may write once more as it closes
  if (made.ok()) made = naming != Naming::later && temporary() ? give_name() : descriptor_->check_close();
  if (!made.ok()) {
    // What is in storage stays as it was, or is made so again by close().
    if (library_ != nullptr) library_->abandon();
    failed_ = true;
    return made;
  }
  whole_ = naming == Naming::last;
  return {};
}

Status MetadataOwner::give_name() {
  SCORPIO_TRY(storage::settle_journal(*context_.store, path_));
  SCORPIO_TRY(storage::commit_new_file(*context_.store, *descriptor_, path_,
                                       context_.options->boolean(Option::durable)));
  current_path_ = path_;
  return {};
}

Status MetadataOwner::close_library() {
  if (library_ == nullptr) return {};
  const Status status = library_->close();
  count();
  library_.reset();
  return status;
}

// What a file system cannot say is no obstacle: a copy that fails on the way leaves the file as it is.
Status MetadataOwner::check_room(uint64_t bytes) {
  const Result<uint64_t> stored = descriptor_->allocated_bytes();
  const Result<storage::FileSystemFacts> facts = descriptor_->facts();
  if (!stored.ok() || !facts.ok()) return {};
  const uint64_t needed = std::min(bytes, *stored);
  if (needed <= facts->free_bytes) return {};
  return failure(
      Code::no_space,
      "the data of {} must be moved to make room for its definitions: the copy needs {} bytes, its file "
      "system has {}; free space, or create such files with option header_free",
      path_, needed, facts->free_bytes);
}

Status MetadataOwner::begin_copy(uint64_t bytes) {
  SCORPIO_TRY(check_room(bytes));
  SCORPIO_ASSIGN(storage::NewFile fresh, storage::begin_new_file(*context_.store, current_path_));
  copy_ = std::move(fresh.file);
  return {};
}

Status MetadataOwner::finish_copy(model::Schema& schema, format::Layout& layout) {
  count();
  SCORPIO_ASSIGN(const uint64_t missing, library_->missing_bytes());
  library_.reset();
  counted_ = {};
  SCORPIO_TRY(make_library(copy_, missing > 0));
  SCORPIO_TRY(commit(schema, layout, Naming::later));
  SCORPIO_TRY(storage::settle_journal(*context_.store, current_path_));
  SCORPIO_TRY(storage::commit_new_file(*context_.store, *copy_, current_path_,
                                       context_.options->boolean(Option::durable)));
  hold(std::exchange(copy_, nullptr));  // the old form is closed by who read its data
  return {};
}

void MetadataOwner::abandon_copy() {
  if (copy_ == nullptr) return;
  (void)storage::abandon_new_file(*context_.store, *copy_, current_path_);
  (void)copy_->close();
  copy_.reset();
}

// It was kept for the lock, which a new file needs until it has its name. After the last commit, which asked
// what a close would say, nothing was written through it: nothing is lost if it fails now, and the new file
// is in its place.
Status MetadataOwner::close_descriptor() {
  const auto file = descriptor_;
  hold(nullptr);
  const Status status = file->close();
  if (status.ok() || !whole_) return status;
  context_.events->add(
      fmt::format("{} is complete; after that its lock was not released well: {}", path_, status.text()));
  return {};
}

Status MetadataOwner::close(bool keep) {
  Status status = close_library();
  if (!keep && descriptor_ != nullptr && temporary()) {
    status = first_failure(status, storage::abandon_new_file(*context_.store, *descriptor_, path_));
  }
  if (descriptor_ != nullptr) status = first_failure(status, close_descriptor());
  // If it fails the next open does it.
  if (failed_ && !temporary()) (void)storage::recover(*context_.store, path_);
  return status;
}

}  // namespace scorpio::session
