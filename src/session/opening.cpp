#include "session/opening.h"

#include <vector>

#include "base/hash.h"
#include "comm/ballot.h"
#include "format/filter_rules.h"
#include "format/registry.h"
#include "session/iosystem/posted_files.h"
#include "storage/path.h"

namespace scorpio::session {

namespace {

Status check_path(const Result<std::string>& path) {
  if (!path.ok() || !path->empty()) return path.status();
  return failure(Code::argument, "the file's path is empty; give the name of a file");
}

Status check_eager(const Options& options, const format::Format& format, const std::string& path) {
  if (!options.boolean(Option::eager) || format.live_library() != nullptr) return {};
  return format::no_live_library(path, format.capabilities().name);
}

// Variables of the new file would fail one by one, each half defined. Classic files have no chunks.
Status check_filters(const Options& options, const format::Format& format) {
  if (options.boolean(Option::eager) || format.capabilities().records_in_turns) return {};
  SCORPIO_ASSIGN(const format::FilterRules rules, format::FilterRules::parse(options.text(Option::filters)));
  return rules.check_built_in();
}

// The arguments of this rank, which Opening::run() compares.
struct Arguments {
  std::string path;  // empty if it is invalid
  Options options;   // the defaults if they could not be resolved
  Status status;
  uint64_t hash = 0;
  std::string mode;

  std::string describe() const { return fmt::format("{} to {}\n{}", path, mode, options.describe_values()); }

  Arguments(const System& system, std::string_view call, const Result<std::string>& given,
            const OptionSet& option_set) {
    const Result<Options> resolved =
        system.file_options(given.ok() ? storage::absolute(*given) : std::string(), option_set);
    status = first_failure(check_path(given), resolved.status());
    if (!status.ok()) return;
    status = format::FilterRules::parse(resolved->text(Option::filters)).status();
    if (!status.ok()) return;
    path = storage::absolute(*given);
    mode = call;
    options = *resolved;
    hash = fnv1a(*given, fnv1a(call, options.hash()));
  }
};

// The facts about a file that the metadata rank has opened and that all ranks need.
struct Facts {
  comm::Most block_bytes;        // the block size of the file domains
  comm::Most stripes;            // of the file
  comm::Most end_of_allocation;  // the end of the space that the file uses
  comm::Most place;              // of a file that is written
  comm::Any temporary;           // the file has its temporary name
  comm::Most format;
  comm::Most schema_bytes;  // the length of the message with the contents; 0: the file is empty
  comm::Any failed;         // the file could not be opened or created

  auto fields() {
    return std::tie(block_bytes, stripes, end_of_allocation, place, temporary, format, schema_bytes, failed);
  }
};

// The facts of the file that the metadata rank has opened. On the metadata rank.
Facts facts_of(MetadataOwner* metadata) {
  Facts facts;
  if (metadata == nullptr) return facts;
  facts.block_bytes = {metadata->block_bytes()};
  facts.stripes = {metadata->stripes()};
  facts.end_of_allocation = {metadata->library().end_of_allocation()};
  facts.temporary = {metadata->container().temporary()};
  facts.format = {metadata->format().capabilities().number};
  return facts;
}

// Creates or opens the file on the metadata rank. Returns the contents of an existing file as a message.
using Make = std::function<Result<std::unique_ptr<MetadataOwner>>(std::vector<std::byte>& message)>;

class Opening {
 public:
  Opening(Core& core, bool creating) : core_(core), system_(core.setting.system()), creating_(creating) {}

  // One reduction determines whether the arguments are the same on all ranks, and the status of the metadata
  // rank, which has opened the file before it. With `later` the metadata rank opens the file after the first
  // reduction, and a second one distributes its status. Invalid arguments of any rank take precedence over
  // the failure of the metadata rank, which is therefore kept apart. The staging memory is reserved first:
  // the reduction also tells the ranks of the node that the channel is ready.
  Status run(const Arguments& arguments, bool later, const Make& make) {
    const comm::Group& comm = core_.setting.comm();
    comm.enter("scorpio_file_open", 0, core_.contents.path());
    SCORPIO_TRY(comm.parted());
    channel_ = system_.channels().open(core_.setting.number(),
                                       core_.setting.options().boolean(Option::asynchronous));
    Facts facts = arguments.status.ok() && !later ? attempt(make) : Facts();
    Status agreed =
        comm::agree_equal(comm, arguments.status, arguments.hash, "path, mode or options for a file", facts,
                          [&] { return arguments.describe(); });
    if (agreed.ok() && later) facts = attempt(make);
    if (agreed.ok() && (later || facts.failed)) agreed = comm::agree(comm, made_, facts);
    if (!agreed.ok()) {
      if (metadata_ != nullptr) metadata_->discard();
      system_.channels().close(std::move(channel_), true);
      // The file that was created before is removed when any rank returns.
      return first_failure(agreed, comm.barrier());
    }
    return take(facts);
  }

 private:
  Facts attempt(const Make& make) {
    const auto on_metadata_rank = [&]() -> Status {
      SCORPIO_ASSIGN(metadata_, make(message_));
      return {};
    };
    if (system_.is_metadata_rank()) made_ = guarded(on_metadata_rank);
    Facts facts = facts_of(metadata_.get());
    if (metadata_ != nullptr && core_.calls.state().writable())
      facts.place = {place_hash(core_.contents.path())};
    facts.schema_bytes = {message_.size()};
    facts.failed = {!made_.ok()};
    return facts;
  }

  Status take(const Facts& facts) {
    const auto open = [&] {
      core_.open({.format = &format::format_numbered(facts.format.value),
                  .block_bytes = facts.block_bytes.value,
                  .stripes = facts.stripes.value,
                  .end_of_allocation = facts.end_of_allocation.value,
                  .temporary = facts.temporary.value,
                  .created = creating_},
                 std::move(metadata_), std::move(channel_));
      return Status();
    };
    const bool empty = facts.schema_bytes.value == 0;
    const Status opened = empty ? open() : guarded(open);  // of an empty file the ranks send nothing more
    const Status taken = empty ? opened
                               : core_.contents.take(core_.setting.comm(), system_.metadata_rank(), opened,
                                                     std::move(message_), facts.schema_bytes.value);
    if (taken.ok()) {
      system_.records().accounts.opened(core_.setting.account());
      if (core_.calls.state().writable())
        system_.posted_files().will_be_written(core_.contents.path(), facts.place.value);
      return {};
    }
    if (core_.metadata != nullptr) core_.metadata->discard();
    core_.metadata.reset();
    core_.close_channel();
    return first_failure(taken, core_.setting.comm().barrier());
  }

  Core& core_;
  System& system_;
  bool creating_;
  std::unique_ptr<exchange::FileChannel> channel_;
  std::unique_ptr<MetadataOwner> metadata_;
  std::vector<std::byte> message_;
  Status made_;
};

}  // namespace

Result<std::unique_ptr<Core>> create_file(System& system, const Result<std::string>& path,
                                          const OptionSet& options) {
  const auto account = system.records().accounts.make("create");
  const observe::AccountScope counted(*account, system.records().counters);
  const observe::Timer timer(system.records().counters.time_open_ns, observe::Activity::open);
  Arguments arguments(system, "create", path, options);
  if (arguments.status.ok()) {
    const format::Format& format = format::format_named(arguments.options.choice(Option::format));
    arguments.status = first_failure(check_eager(arguments.options, format, arguments.path),
                                     check_filters(arguments.options, format));
  }
  auto core = std::make_unique<Core>(system, arguments.path, arguments.options, true, account);
  const auto make = [&](std::vector<std::byte>&) {
    return MetadataOwner::create(core->setting.metadata_context(), arguments.path);
  };
  // The creation of an eager file removes the present contents. All ranks must have agreed on it before.
  SCORPIO_TRY(Opening(*core, true).run(arguments, core->setting.eager(), make));
  return core;
}

Result<std::unique_ptr<Core>> open_file(System& system, const Result<std::string>& path, bool writable,
                                        const OptionSet& options) {
  const auto account = system.records().accounts.make(writable ? "write" : "read");
  const observe::AccountScope counted(*account, system.records().counters);
  const observe::Timer timer(system.records().counters.time_open_ns, observe::Activity::open);
  const Arguments arguments(system, writable ? "write" : "read", path, options);
  auto core = std::make_unique<Core>(system, arguments.path, arguments.options, writable, account);
  const auto load = [&](std::vector<std::byte>& message) -> Result<std::unique_ptr<MetadataOwner>> {
    SCORPIO_ASSIGN(auto metadata,
                   MetadataOwner::open(core->setting.metadata_context(), arguments.path, writable));
    const Result<format::Contents> contents = metadata->load();
    Status usable = contents.status();
    if (usable.ok() && writable) usable = check_eager(arguments.options, metadata->format(), arguments.path);
    if (!usable.ok()) {
      metadata->discard();
      return usable;
    }
    message = format::serialise(contents->schema, contents->placements);
    return metadata;
  };
  SCORPIO_TRY(Opening(*core, false).run(arguments, false, load));
  return core;
}

}  // namespace scorpio::session
