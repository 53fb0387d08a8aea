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
  auto file = storage::SingleFile::open(context, path, writable, options.boolean(Option::journal));
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
  const storage::Striping striping{context_.options->bytes(Option::stripe_bytes),
                                   context_.options->integer(Option::stripe_count)};
  const auto writer = context_.options->choice(Option::recover) == "always" ? storage::Writer::has_ended
                                                                            : storage::Writer::is_found_out;
  return {*context_.store, *context_.counters, *context_.events, striping, writer};
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
  SCORPIO_ASSIGN(auto library, format_->create(request));
  use(std::move(library));
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

void MetadataOwner::use(std::unique_ptr<format::MetadataFile> library) {
  if (!commit_) commit_.emplace(*context_.counters, *container_, durable());
  commit_->set_format(*format_);
  commit_->use(std::move(library));
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
  SCORPIO_ASSIGN(auto library, format_->open(request));
  use(std::move(library));
  return tell_missing_data();
}

Result<format::Contents> MetadataOwner::load() {
  SCORPIO_ASSIGN(format::Contents contents, library().load());
  if (!contents.format.empty()) format_ = &format::format_named(contents.format);
  commit_->set_format(*format_);
  return contents;
}

// A file may legally be shorter than its header says, because data that were never written need not be in it.
// A truncated file looks the same.
Status MetadataOwner::tell_missing_data() {
  SCORPIO_ASSIGN(const uint64_t missing, library().missing_bytes());
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

Status MetadataOwner::begin_copy(uint64_t bytes) {
  SCORPIO_ASSIGN(copy_, container_->begin_copy(bytes));
  return {};
}

Status MetadataOwner::finish_copy(model::Schema& schema, format::Layout& layout) {
  SCORPIO_ASSIGN(const uint64_t missing, library().missing_bytes());
  commit_->use(nullptr);
  SCORPIO_TRY(make_library(*copy_, missing > 0));
  SCORPIO_TRY(commit_->make(schema, layout, Commit::Naming::later));
  return container_->finish_copy(durable());
}

// The container was open only for its lock, which a new file needs until it has its name. Nothing was written
// through it after the last commit, which has obtained the failures that a close reports. A failure here
// loses no data, and the new file has its name already.
Status MetadataOwner::close_container() {
  const Status status = container_->close();
  if (status.ok() || !commit_->whole()) return status;
  context_.events->add(fmt::format("{} is complete; after that its lock was not released well: {}",
                                   container_->path(), status.text()));
  return {};
}

void MetadataOwner::discard() {
  if (commit_) commit_->discard();
  const Status removed = opened_ ? Status() : container_->abandon();
  if (!removed.ok())
    context_.events->add(
        fmt::format("{} was not made, and is not removed: {}", container_->path(), removed.text()));
  (void)container_->close();
}

Status MetadataOwner::close(bool keep) {
  Status status = commit_->close(keep);
  const bool temporary = container_->temporary();
  if (!keep && temporary) status = first_failure(status, container_->abandon());
  status = first_failure(status, close_container());
  if (commit_->failed() && !temporary) container_->restore();
  return status;
}

}  // namespace scorpio::session
