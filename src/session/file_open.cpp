// Making and opening files.
#include <algorithm>
#include <array>

#include "base/hash.h"
#include "comm/ballot.h"
#include "format/registry.h"
#include "session/file.h"
#include "storage/atomic_commit.h"
#include "storage/path.h"

namespace scorpio::session {

namespace {

Status check_path(const Result<std::string>& path) {
  if (!path.ok() || !path->empty()) return path.status();
  return failure(Code::argument, "the file's path is empty");
}

Status check_eager(const Options& options, const format::Format& format, const std::string& path) {
  if (!options.boolean(Option::eager) || format.live_library() != nullptr) return {};
  return format::no_live_library(path, format.capabilities().name);
}

}  // namespace

// What this rank was called with; compared by start().
struct File::Arguments {
  std::string path;  // empty if it was none
  Options options;   // the defaults if they could not be resolved
  Status status;
  uint64_t hash = 0;
  std::string mode;

  std::string describe() const { return fmt::format("{} to {}\n{}", path, mode, options.describe_values()); }

  Arguments(IoSystem& system, std::string_view call, const Result<std::string>& given,
            const OptionSet& option_set) {
    const Result<Options> resolved = system.file_options(option_set);
    status = first_failure(check_path(given), resolved.status());
    if (!status.ok()) return;
    path = storage::absolute(*given);
    mode = call;
    options = *resolved;
    hash = fnv1a(*given, fnv1a(call, options.hash()));
  }
};

File::File(IoSystem& system, std::string path, Options options, bool writable,
           std::shared_ptr<observe::FileAccount> account)
    : system_(system),
      path_(std::move(path)),
      account_(std::move(account)),
      options_(std::move(options)),
      eager_(writable && options_.boolean(Option::eager)),
      number_(system.next_number()),
      state_(FileState::opened(path_, writable, false)) {}

File::~File() = default;

MetadataOwner::Context File::context() {
  return {&system_.store(), &system_.counters(), &system_.events(), &options_};
}

Result<std::unique_ptr<File>> File::create(IoSystem& system, const Result<std::string>& path,
                                           const OptionSet& options) {
  const auto account = system.accounts().make("create");
  const observe::AccountScope counted(*account, system.counters());
  const observe::Timer timer(system.counters().time_open_ns);
  Arguments arguments(system, "create", path, options);
  if (arguments.status.ok()) {
    const format::Format& format = format::format_named(arguments.options.choice(Option::format));
    arguments.status = check_eager(arguments.options, format, arguments.path);
  }
  std::unique_ptr<File> file(new File(system, arguments.path, arguments.options, true, account));
  // An eager file empties what is there: not before all ranks have said the same.
  const bool later = file->eager_;
  const auto make = [&](std::vector<std::byte>&) {
    return MetadataOwner::create(file->context(), arguments.path);
  };
  SCORPIO_TRY(file->start(arguments, later, make));
  file->state_ = FileState::created(file->path_, file->layout_->has_define_mode());
  return file;
}

Result<std::unique_ptr<File>> File::open(IoSystem& system, const Result<std::string>& path, bool writable,
                                         const OptionSet& options) {
  const auto account = system.accounts().make(writable ? "write" : "read");
  const observe::AccountScope counted(*account, system.counters());
  const observe::Timer timer(system.counters().time_open_ns);
  const Arguments arguments(system, writable ? "write" : "read", path, options);
  std::unique_ptr<File> file(new File(system, arguments.path, arguments.options, writable, account));
  const auto load = [&](std::vector<std::byte>& message) -> Result<std::unique_ptr<MetadataOwner>> {
    SCORPIO_ASSIGN(auto metadata, MetadataOwner::open(file->context(), arguments.path, writable));
    SCORPIO_ASSIGN(const format::Contents contents, metadata->library().load());
    if (writable) SCORPIO_TRY(check_eager(arguments.options, metadata->format(), arguments.path));
    message = format::serialise(contents.schema, contents.placements);
    return metadata;
  };
  SCORPIO_TRY(file->start(arguments, false, load));
  file->state_ = FileState::opened(file->path_, writable, file->layout_->has_define_mode());
  return file;
}

// What all ranks need to know of a file that the metadata rank has opened.
struct File::Facts {
  comm::Most block_bytes;        // in which it is divided
  comm::Most end_of_allocation;  // of what the file holds
  comm::Any temporary;           // the bytes are under the temporary name
  comm::Most format;
  comm::Most schema_bytes;  // of the message that tells what the file holds; 0: nothing
  comm::Any failed;         // it could not be opened or made

  auto fields() { return std::tie(block_bytes, end_of_allocation, temporary, format, schema_bytes, failed); }
};

// On the metadata rank, what it has found.
File::Facts File::own_facts() {
  Facts facts;
  if (metadata_ == nullptr) return facts;
  facts.block_bytes = {metadata_->block_bytes()};
  facts.end_of_allocation = {metadata_->library().end_of_allocation()};
  facts.temporary = {metadata_->container().temporary()};
  facts.format = {metadata_->format().capabilities().number};
  return facts;
}

// One reduction says whether all ranks were called alike and what became of it on the metadata rank, which
// has gone ahead; with `later` it waits for the first and tells of the second in another one. Wrong arguments
// of any rank explain more than what the metadata rank met: its failure is told apart. The staging is taken
// first: the agreement also tells the node that the channel is ready. `make` also gives what the file holds,
// as a message; none for a new one.
template <typename Make>
Status File::start(const Arguments& arguments, bool later, Make&& make) {
  system_.comm().enter("scorpio_file_open", 0, path_);
  SCORPIO_TRY(system_.comm().parted());
  channel_ = system_.open_channel(number_);
  std::vector<std::byte> schema;
  Status made;
  const auto attempt = [&] {
    const auto on_metadata_rank = [&]() -> Status {
      SCORPIO_ASSIGN(metadata_, make(schema));
      return {};
    };
    if (system_.is_metadata_rank()) made = on_metadata_rank();
    Facts facts = own_facts();
    facts.schema_bytes = {schema.size()};
    facts.failed = {!made.ok()};
    return facts;
  };
  Facts facts = arguments.status.ok() && !later ? attempt() : Facts();
  Status agreed =
      comm::agree_equal(system_.comm(), arguments.status, arguments.hash, "path, mode or options for a file",
                        facts, [&] { return arguments.describe(); });
  if (agreed.ok() && later) facts = attempt();
  if (agreed.ok() && (later || facts.failed)) agreed = comm::agree(system_.comm(), made, facts);
  if (agreed.ok()) {
    take_facts(facts);
    agreed = take_schema(std::move(schema), facts.schema_bytes.value);
  }
  if (agreed.ok()) {
    system_.accounts().opened(account_);
    return {};
  }
  if (metadata_ != nullptr) (void)metadata_->close(false);
  metadata_.reset();
  system_.close_channel(std::move(channel_));
  // What was made ahead is gone when any rank returns.
  return first_failure(agreed, system_.comm().barrier());
}

// One broadcast and one agreement, none for a new file.
Status File::take_schema(std::vector<std::byte> message, uint64_t bytes) {
  if (bytes == 0) return {};
  message.resize(bytes);
  SCORPIO_TRY(system_.comm().broadcast(std::span(message), system_.metadata_rank()));
  Result<format::Contents> contents = format::deserialise(message);
  if (contents.ok()) {
    schema_ = std::move(contents->schema);
    layout_->found(schema_, std::move(contents->placements));
  }
  return comm::agree(system_.comm(), contents.status());
}

void File::take_facts(const Facts& facts) {
  const uint64_t block = facts.block_bytes.value;
  rule_ = system_.domain_rule(block);
  end_of_allocation_ = facts.end_of_allocation.value;
  format_ = &format::format_numbered(facts.format.value);
  // There is no variable whose bytes could be cut in ranges.
  if (format_->capabilities().records_in_turns) rule_.contiguous = false;
  make_layout();
  open_data(facts.temporary.value);
  account_->path = path_;
  account_->format = format_->capabilities().name;
  account_->block_bytes = block;
  account_->shares_slot = channel_->lease().shared;
}

void File::open_data(bool temporary) {
  data_ = format_->data({.store = system_.store(),
                         .path = temporary ? storage::temporary_name(path_) : path_,
                         .schema = schema_,
                         .layout = *layout_,
                         .writable = state_.writable(),
                         .durable = options_.boolean(Option::durable),
                         .block_bytes = rule_.block_bytes,
                         .counters = system_.counters()});
  if (metadata_ != nullptr) data_->adopt(metadata_->container());
  channel_->set_sink(*data_);
}

// What a file holds already is told to it by take_schema().
void File::make_layout() {
  layout_ = format_->layout({.options = options_,
                             .block_bytes = rule_.block_bytes,
                             .end_of_allocation = end_of_allocation_,
                             .eager = eager_});
  rule_ = plan::undivided(rule_, layout_->chunk_bytes());
}

Status File::share_schema() {
  std::vector<std::byte> bytes;
  if (metadata_ != nullptr) bytes = format::serialise(schema_, layout_->placements());
  std::array<int64_t, 1> length{static_cast<int64_t>(bytes.size())};
  SCORPIO_TRY(system_.comm().broadcast(length, system_.metadata_rank()));
  return take_schema(std::move(bytes), static_cast<uint64_t>(length[0]));
}

}  // namespace scorpio::session
