// Making, opening and closing files, and the live id.
#include <algorithm>
#include <array>
#include <bit>

#include "base/hash.h"
#include "comm/agree.h"
#include "format/cdf/cdf_layout.h"
#include "format/hdf5/hdf5_layout.h"
#include "session/file.h"
#include "storage/atomic_commit.h"

namespace scorpio::session {

namespace {

Status check_path(const Result<std::string>& path) {
  if (!path.ok() || !path->empty()) return path.status();
  return failure(Code::argument, "the file's path is empty");
}

// Call, path and options, the same on all ranks: one reduction.
Result<Options> agree_on_arguments(IoSystem& system, std::string_view call, const Result<std::string>& path,
                                   const OptionSet& options) {
  const Result<Options> resolved = system.file_options(options);
  const Status own = first_failure(check_path(path), resolved.status());
  const uint64_t hash = own.ok() ? fnv1a(*path, fnv1a(call, resolved->hash())) : 0;
  SCORPIO_TRY(comm::agree_equal(system.comm(), own, hash, "path, mode or options for a file"));
  return *resolved;
}

}  // namespace

namespace {

Status check_eager(const Options& options, format::Format format, const std::string& path) {
  if (!options.boolean(Option::eager) || !format::is_classic(format)) return {};
  return failure(Code::unsupported, "{}: option eager needs an HDF5 file; its format is {}", path,
                 format::name(format));
}

}  // namespace

File::File(IoSystem& system, std::string path, Options options, bool writable)
    : system_(system),
      path_(std::move(path)),
      options_(std::move(options)),
      writable_(writable),
      eager_(writable && options_.boolean(Option::eager)),
      data_file_(system.store(), path_, writable) {}

File::~File() = default;

MetadataOwner::Context File::context() {
  return {&system_.store(), &system_.counters(), &system_.events(), &options_};
}

Result<std::unique_ptr<File>> File::create(IoSystem& system, const Result<std::string>& path,
                                           const OptionSet& options) {
  const observe::Timer timer(system.counters().time_open_ns);
  SCORPIO_ASSIGN(Options resolved, agree_on_arguments(system, "create", path, options));
  SCORPIO_TRY(check_eager(resolved, format::format_named(resolved.choice(Option::format)), *path));
  std::unique_ptr<File> file(new File(system, *path, std::move(resolved), true));
  Result<std::unique_ptr<MetadataOwner>> metadata = std::unique_ptr<MetadataOwner>();
  if (system.is_metadata_rank()) metadata = MetadataOwner::create(file->context(), *path);
  SCORPIO_TRY(file->start(std::move(metadata)));
  file->make_layout();
  file->defining_ = file->layout_->has_define_mode();
  return file;
}

Result<std::unique_ptr<File>> File::open(IoSystem& system, const Result<std::string>& path, bool writable,
                                         const OptionSet& options) {
  const observe::Timer timer(system.counters().time_open_ns);
  SCORPIO_ASSIGN(Options resolved, agree_on_arguments(system, writable ? "write" : "read", path, options));
  std::unique_ptr<File> file(new File(system, *path, std::move(resolved), writable));
  Result<std::unique_ptr<MetadataOwner>> metadata = std::unique_ptr<MetadataOwner>();
  if (system.is_metadata_rank()) {
    metadata = MetadataOwner::open(file->context(), *path, writable);
    if (metadata.ok()) {
      Result<model::Schema> schema = (*metadata)->library().load();
      if (schema.ok()) {
        file->schema_ = std::move(schema).value();
      } else {
        metadata = schema.status();
      }
    }
  }
  SCORPIO_TRY(file->start(std::move(metadata)));
  Status status = file->share_schema();
  file->make_layout();
  if (status.ok() && writable) status = check_eager(file->options_, file->format_, *path);
  if (!status.ok()) {
    (void)file->close();
    return status;
  }
  return file;
}

// What all ranks need to know of a file that the metadata rank has opened.
struct File::Facts {
  uint64_t block_bytes = 0;        // of the file system; 0 = unknown
  uint64_t end_of_allocation = 0;  // of what the file holds
  uint64_t temporary = 0;          // 1: the bytes are under the temporary name
  uint64_t format = 0;
};

File::Facts File::own_facts() {
  Facts facts;
  if (metadata_ == nullptr) return facts;
  const auto found = system_.store().facts(path_);
  facts.block_bytes = found.ok() ? found->block_bytes : 0;
  facts.end_of_allocation = metadata_->library().end_of_allocation();
  facts.temporary = metadata_->current_path() == path_ ? 0 : 1;
  facts.format = static_cast<uint64_t>(metadata_->format());
  data_file_.adopt(metadata_->descriptor());
  return facts;
}

// Takes the staging first: the agreement that follows also tells the node that the channel is ready.
Status File::start(Result<std::unique_ptr<MetadataOwner>> metadata) {
  channel_ = system_.open_channel(data_file_);
  const Status own = metadata.status();
  if (metadata.ok()) metadata_ = std::move(metadata).value();
  const Facts mine = own_facts();
  std::array<uint64_t, 4> facts{mine.block_bytes, mine.end_of_allocation, mine.temporary, mine.format};
  const Status agreed = comm::agree(system_.comm(), own, facts);  // only the metadata rank's are not 0
  if (!agreed.ok()) {
    if (metadata_ != nullptr) (void)metadata_->close(false);
    system_.close_channel(std::move(channel_));
    return agreed;
  }
  take_facts({facts[0], facts[1], facts[2], facts[3]});
  return {};
}

void File::take_facts(const Facts& facts) {
  if (facts.temporary != 0) data_file_.set_path(storage::temporary_name(path_));
  uint64_t block = options_.bytes(Option::block_bytes);
  if (block == 0) block = std::bit_ceil(std::max(facts.block_bytes, k_unknown_block));
  rule_ = system_.domain_rule(block);
  end_of_allocation_ = facts.end_of_allocation;
  format_ = static_cast<format::Format>(facts.format);
  // Records of several variables lie in turns: there is no variable whose bytes could be cut in ranges.
  if (format::is_classic(format_)) rule_.contiguous = false;
}

// What the file holds is known on all ranks.
void File::make_layout() {
  if (!format::is_classic(format_)) {
    layout_ = format::make_hdf5_layout(rule_.block_bytes, end_of_allocation_, !eager_);
    return;
  }
  format::cdf::LayoutOptions wished;
  wished.header_free = options_.bytes(Option::header_free);
  wished.data_align = options_.bytes(Option::data_align);
  wished.variable_align = options_.bytes(Option::variable_align);
  wished.variable_free = options_.bytes(Option::variable_free);
  wished.record_align = options_.bytes(Option::record_align);
  layout_ = format::make_cdf_layout(format::classic_version(format_), wished, schema_);
}

Status File::share_schema() {
  std::vector<std::byte> bytes;
  if (metadata_ != nullptr) bytes = schema_.serialise();
  SCORPIO_TRY(system_.comm().broadcast(bytes, system_.metadata_rank()));
  Result<model::Schema> schema = model::Schema::deserialise(bytes);
  if (schema.ok()) schema_ = std::move(schema).value();
  return comm::agree(system_.comm(), schema.status());
}

}  // namespace scorpio::session
