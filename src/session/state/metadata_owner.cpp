#include "session/state/metadata_owner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "format/registry.h"
#include "session/iosystem/arrangement.h"
#include "session/iosystem/library_version.h"
#include "storage/folder_commit.h"
#include "storage/object_folder.h"
#include "storage/path.h"
#include "storage/single_file.h"

namespace scorpio::session {

namespace {

Status check_free(storage::Store& store, const std::string& path) {
  SCORPIO_ASSIGN(const bool taken, store.exists(path));
  if (!taken) return {};
  return failure(Code::exists,
                 "{} exists and is not replaced, because option replace is false; choose another name", path);
}

struct Found {
  std::unique_ptr<storage::Container> container;
  const format::Format* folder = nullptr;  // the format of the folder; null: it is a file
};

// The path is examined as a folder if no file can be opened there and some format stores its files as
// folders.
Result<Found> find(const storage::ContainerContext& context, const std::string& path, bool writable,
                   const Options& options) {
  const auto writer = options.choice(Option::recover) == "always" ? storage::Writer::has_ended
                                                                  : storage::Writer::is_found_out;
  auto file = storage::SingleFile::open(context, path, writable, options.boolean(Option::journal), writer);
  if (file.ok()) return Found{std::move(file).value()};
  const Code code = file.status().code();
  if (!format::folders_are_files() || (code != Code::format && code != Code::not_found)) return file.status();
  SCORPIO_ASSIGN(const bool recovered, storage::recover_folder(context.store, path));
  if (recovered) context.events.add(fmt::format("{} has its name again, which a stopped run took", path));
  SCORPIO_ASSIGN(const format::Format* format, format::detect_folder(context.store, path));
  if (format == nullptr) return file.status();
  const std::string mark(format->capabilities().folder_mark);
  SCORPIO_ASSIGN(auto folder, storage::ObjectFolder::open(context, path, mark, writable));
  return Found{std::move(folder), format};
}

Result<const format::Format*> format_of(storage::StoredFile& file) {
  std::array<std::byte, format::k_detect_bytes> first{};
  SCORPIO_ASSIGN(const size_t there, file.read_at(first, 0));
  return &format::detect({first.data(), there});
}

}  // namespace

MetadataOwner::MetadataOwner(const Context& context) : context_(context) {}

MetadataOwner::~MetadataOwner() = default;

storage::ContainerContext MetadataOwner::place() const {
  return {*context_.store, *context_.counters, *context_.events};
}

uint64_t MetadataOwner::block_bytes() {
  if (block_bytes_ == 0) block_bytes_ = context_.options->bytes(Option::block_bytes);
  if (block_bytes_ == 0) block_bytes_ = std::bit_ceil(std::max(facts().block_bytes, k_unknown_block));
  return block_bytes_;
}

uint64_t MetadataOwner::stripes() {
  return context_.options->integer(Option::writers) > 0 ? 0 : facts().stripes;
}

const storage::FileSystemFacts& MetadataOwner::facts() {
  if (facts_) return *facts_;
  const Result<storage::FileSystemFacts> found = container_->facts();
  facts_ = found.ok() ? *found : storage::FileSystemFacts{};
  if (!facts_->layout.ok())
    context_.events->add(fmt::format("{}: {}; blocks of {} bytes are assumed", container_->path(),
                                     facts_->layout.text(), k_unknown_block));
  return *facts_;
}

format::MetadataOptions MetadataOwner::metadata_options() {
  format::MetadataOptions options;
  options.durable = durable();
  options.block_bytes = block_bytes();
  options.writer = "scorpio=" + library_version();
  return options;
}

// Commits use an undo journal if they change a file that is valid under its final name at that time.
storage::Store* MetadataOwner::journal_store() const {
  const bool named = opened_ || context_.options->choice(Option::file_name) == "sync";
  return named && context_.options->boolean(Option::journal) ? context_.store : nullptr;
}

Result<std::unique_ptr<MetadataOwner>> MetadataOwner::create(const Context& context,
                                                             const std::string& path) {
  std::unique_ptr<MetadataOwner> owner(new MetadataOwner(context));
  if (!context.options->boolean(Option::replace)) SCORPIO_TRY(check_free(*context.store, path));
  owner->format_ = &format::format_named(context.options->choice(Option::format));
  const std::string mark(owner->format_->capabilities().folder_mark);
  // The application uses the HDF5 id of an eager file under its final name, so there is no temporary name.
  SCORPIO_ASSIGN(owner->container_, mark.empty()
                                        ? storage::SingleFile::create(owner->place(), path,
                                                                      context.options->boolean(Option::eager))
                                        : storage::ObjectFolder::create(owner->place(), path, mark));
  Status made = owner->make_library(*owner->container_, false);
  // Last, because what was there before is lost by it.
  if (made.ok()) made = owner->container_->take_place();
  if (made.ok()) return owner;
  owner->discard();
  return made;
}

// For a file that is empty yet. `data_missing`: the file of which this one is a copy lacks data.
Status MetadataOwner::make_library(storage::Container& container, bool data_missing) {
  format::MetadataOptions metadata = metadata_options();
  metadata.data_missing = data_missing;
  metadata.undo_journal = journal_store() != nullptr;
  metadata.temporary = container_->temporary();
  const format::FileRequest request{.container = container,
                                    .path = container_->path(),
                                    .options = *context_.options,
                                    .metadata = metadata,
                                    .store = journal_store()};
  SCORPIO_ASSIGN(library_, format_->create(request));
  return {};
}

Result<std::unique_ptr<MetadataOwner>> MetadataOwner::open(const Context& context, const std::string& given,
                                                           bool writable) {
  // The journal and the temporary file are in the folder of the file itself, also if it is opened by a
  // symbolic link.
  const std::string path = storage::followed(given);
  std::unique_ptr<MetadataOwner> owner(new MetadataOwner(context));
  owner->opened_ = true;
  SCORPIO_ASSIGN(Found found, find(owner->place(), path, writable, *context.options));
  owner->container_ = std::move(found.container);
  owner->format_ = found.folder;
  const Status opened = owner->open_library(writable);
  if (opened.ok()) return owner;
  owner->discard();
  return opened;
}

Status MetadataOwner::open_library(bool writable) {
  format::MetadataOptions options = metadata_options();
  options.undo_journal = writable && journal_store() != nullptr;
  if (format_ == nullptr) {
    SCORPIO_ASSIGN(format_, format_of(*container_->file()));
  }
  const format::FileRequest request{.container = *container_,
                                    .path = container_->path(),
                                    .options = *context_.options,
                                    .metadata = options,
                                    .store = context_.store,
                                    .writable = writable};
  SCORPIO_ASSIGN(library_, format_->open(request));
  return tell_missing_data();
}

Result<format::Contents> MetadataOwner::load() {
  SCORPIO_ASSIGN(format::Contents contents, library_->load());
  if (!contents.format.empty()) format_ = &format::format_named(contents.format);
  return contents;
}

// A file may legally be shorter than its header says, because data that were never written need not be in it.
// A truncated file looks the same.
Status MetadataOwner::tell_missing_data() {
  SCORPIO_ASSIGN(const uint64_t missing, library_->missing_bytes());
  if (missing == 0) return {};
  const std::string lacks =
      fmt::format("{} lacks {} bytes of the data that its header describes", container_->path(), missing);
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
  const observe::Timer timer(context_.counters->time_metadata_ns, observe::Activity::metadata);
  const Status status = library_->apply(schema, layout.placements(), layout.end_of_data(schema));
  count();
  return status;
}

Status MetadataOwner::flush() {
  const observe::Timer timer(context_.counters->time_metadata_ns, observe::Activity::metadata);
  const Status status = library_->flush();
  count();
  return status;
}

Status MetadataOwner::commit(model::Schema& schema, format::Layout& layout, Naming naming) {
  const bool made = prepared_ == Prepared::written || prepared_ == Prepared::carried_out;
  if (prepared_ != Prepared::none && (made || prepared_naming_ == Naming::last)) {
    carry_out();
    if (library_ != nullptr) count();
    if (prepared_naming_ == Naming::last || !outcome_.ok()) return outcome_;
  }
  prepared_ = Prepared::none;  // what was prepared and not written is part of the present state
  return complete(write(schema, layout, naming), naming);
}

// Writes the metadata.
Status MetadataOwner::write(model::Schema& schema, format::Layout& layout, Naming naming) {
  SCORPIO_TRY(apply(schema, layout));
  SCORPIO_TRY(flush());
  return naming == Naming::last ? close_library()
                                : Status();  // the library may write once more when it closes
}

// The kept changes extend the file to the end of all its data, so that data of other ranks are not cut off.
bool MetadataOwner::is_hidden(Naming naming) const {
  return naming == Naming::last && container_->temporary() && container_->late() != nullptr;
}

// A new file whose close is posted: the bytes are kept, of any format. Otherwise the format must be able to
// write its metadata in another thread: at any time, or those of a file that does not change afterwards.
bool MetadataOwner::prepare(model::Schema& schema, format::Layout& layout, Naming naming) {
  if (failed_) return false;
  const std::shared_ptr<storage::LateFile> late = is_hidden(naming) ? container_->late() : nullptr;
  const bool leaves = late == nullptr && !format_->capabilities().flushes_in_any_thread;
  if (leaves && (naming != Naming::last || !library_->can_leave_library())) return false;
  if (late != nullptr) late->keep();
  outcome_ = late != nullptr ? write(schema, layout, naming) : apply(schema, layout);
  if (leaves && outcome_.ok()) outcome_ = library_->leave_library();
  prepared_ = late != nullptr ? Prepared::kept : Prepared::applied;
  prepared_naming_ = naming;
  return true;
}

uint64_t MetadataOwner::prepared_bytes() const {
  if (keeps_changes()) return container_->late()->kept_bytes();
  return prepared_ == Prepared::applied ? library_->kept_bytes() : 0;
}

// After a last commit no rank writes data any more.
void MetadataOwner::write_ahead() {
  if (prepared_ != Prepared::kept && prepared_ != Prepared::applied) return;
  const Prepared how = std::exchange(prepared_, Prepared::written);
  if (!outcome_.ok()) return;
  if (how == Prepared::kept) {
    outcome_ = container_->late()->make();
  } else if (prepared_naming_ == Naming::last) {
    outcome_ = library_->flush();
  } else {
    const Result<bool> flushed = library_->flush_beside_writers();
    outcome_ = flushed.status();
    if (flushed.ok() && !*flushed) prepared_ = Prepared::impossible;
  }
}

void MetadataOwner::carry_out() {
  write_ahead();
  if (prepared_ != Prepared::written) return;
  prepared_ = Prepared::carried_out;
  outcome_ = complete(std::move(outcome_), prepared_naming_);
}

// Gives the file its name after the write of the metadata, whose status is `made`.
Status MetadataOwner::complete(Status made, Naming naming) {
  if (made.ok())
    made = naming != Naming::later && container_->temporary() ? container_->give_name(durable())
                                                              : container_->check_close();
  if (!made.ok()) {
    // The contents of storage are unchanged, or close() restores them.
    if (library_ != nullptr) library_->abandon();
    failed_ = true;
    return made;
  }
  whole_ = naming == Naming::last;
  return {};
}

bool MetadataOwner::is_current(const model::Schema& schema, Naming naming) const {
  const bool named = naming == Naming::later || !container_->temporary();
  return named && !failed_ && library_ != nullptr && library_->is_current(schema);
}

Status MetadataOwner::close_library() {
  if (library_ == nullptr) return {};
  const Status status = library_->close();
  count();
  library_.reset();
  return status;
}

Status MetadataOwner::begin_copy(uint64_t bytes) {
  SCORPIO_ASSIGN(copy_, container_->begin_copy(bytes));
  return {};
}

Status MetadataOwner::finish_copy(model::Schema& schema, format::Layout& layout) {
  count();
  SCORPIO_ASSIGN(const uint64_t missing, library_->missing_bytes());
  library_.reset();
  counted_ = {};
  SCORPIO_TRY(make_library(*copy_, missing > 0));
  SCORPIO_TRY(commit(schema, layout, Naming::later));
  return container_->finish_copy(durable());
}

// The container was open only for its lock, which a new file needs until it has its name. Nothing was written
// through it after the last commit, which has obtained the failures that a close reports. A failure here
// loses no data, and the new file has its name already.
Status MetadataOwner::close_container() {
  const Status status = container_->close();
  if (status.ok() || !whole_) return status;
  context_.events->add(fmt::format("{} is complete; after that its lock was not released well: {}",
                                   container_->path(), status.text()));
  return {};
}

void MetadataOwner::discard() {
  if (library_ != nullptr) library_->abandon();
  library_.reset();
  const Status removed = opened_ ? Status() : container_->abandon();
  if (!removed.ok())
    context_.events->add(
        fmt::format("{} was not made, and is not removed: {}", container_->path(), removed.text()));
  (void)container_->close();
}

// Metadata that were prepared and not written describe data that may be missing.
Status MetadataOwner::close(bool keep) {
  if (!keep && library_ != nullptr && prepared_ != Prepared::none) library_->abandon();
  Status status = close_library();
  const bool temporary = container_->temporary();
  if (!keep && temporary) status = first_failure(status, container_->abandon());
  status = first_failure(status, close_container());
  if (failed_ && !temporary) container_->restore();
  return status;
}

}  // namespace scorpio::session
