#include "session/opening.h"

#include <utility>

#include "base/attempt.h"
#include "base/hash.h"
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

const char* name_of(Opening::Mode mode) {
  switch (mode) {
    case Opening::Mode::create:
      return "create";
    case Opening::Mode::write:
      return "write";
    default:
      return "read";
  }
}

// Which files are opened alike: their path, mode and options are the same on all ranks.
struct Arguments {
  std::string path;
  Options options;
  uint64_t hash = 0;
};

Result<Arguments> checked(const System& system, const char* mode, const Result<std::string>& given,
                          const OptionSet& option_set) {
  const std::string path = given.ok() ? storage::absolute(*given) : std::string();
  const Result<Options> resolved = system.file_options(path, option_set);
  SCORPIO_TRY(first_failure(check_path(given), resolved.status()));
  SCORPIO_TRY(format::FilterRules::parse(resolved->text(Option::filters)).status());
  return Arguments{path, *resolved, fnv1a(*given, fnv1a(mode, resolved->hash()))};
}

Status check_new(const Options& options, const std::string& path) {
  const format::Format& format = format::format_named(options.choice(Option::format));
  return first_failure(check_eager(options, format, path), check_filters(options, format));
}

}  // namespace

Opening::Opening(System& system, Mode mode) : system_(system), mode_(mode), number_(system.next_number()) {}

Opening::~Opening() = default;

std::unique_ptr<Core> Opening::prepare(const Result<std::string>& path, const OptionSet& options) {
  const auto account = system_.records().accounts.make(name_of(mode_));
  Result<Arguments> arguments = checked(system_, name_of(mode_), path, options);
  arguments_ = arguments.status();
  if (!arguments.ok()) arguments = Arguments();
  hash_ = arguments->hash;
  if (mode_ == Mode::create && arguments_.ok()) arguments_ = check_new(arguments->options, arguments->path);
  auto core = std::make_unique<Core>(system_, number_, std::move(arguments->path),
                                     std::move(arguments->options), mode_ != Mode::read, account);
  core_ = core.get();
  return core;
}

Status Opening::run(const Status& prepared) {
  if (!prepared.ok()) core_ = nullptr;
  std::optional<observe::AccountScope> counted;
  if (core_ != nullptr) counted.emplace(*core_->setting.account(), system_.records().counters);
  const observe::Timer timer(system_.records().counters.time_open_ns, observe::Activity::open);
  const comm::Group& comm = system_.comm();
  static const std::string k_no_path;
  comm.enter("scorpio_file_open", 0, core_ == nullptr ? k_no_path : core_->contents.path());
  SCORPIO_TRY(comm.parted());
  Status mine = first_failure(prepared, arguments_);
  const bool asynchronous = core_ != nullptr && core_->setting.options().boolean(Option::asynchronous);
  attempt(mine, [&] { channel_ = system_.channels().open(number_, asynchronous); });
  if (mine.ok() && asynchronous) mine = system_.channels().start_worker();
  // The creation of an eager file removes the present contents. All ranks must have agreed on it before.
  const bool later = core_ != nullptr && mode_ == Mode::create && core_->setting.eager();
  Facts facts = mine.ok() && !later ? make() : Facts();
  Status agreed = comm::agree_equal(comm, mine, hash_, "path, mode or options for a file", facts, [&] {
    return fmt::format("{} to {}\n{}", core_->contents.path(), name_of(mode_),
                       core_->setting.options().describe_values());
  });
  if (agreed.ok() && later) facts = make();
  if (agreed.ok() && (later || facts.failed)) agreed = comm::agree(comm, made_, facts);
  if (!agreed.ok()) {
    if (metadata_ != nullptr) metadata_->discard();
    if (channel_ != nullptr) system_.channels().close(std::move(channel_), true);
    // The file that was created before is removed when any rank returns.
    return first_failure(agreed, comm.barrier());
  }
  return take(facts);
}

Result<std::unique_ptr<MetadataOwner>> Opening::made() {
  const MetadataOwner::Context context = core_->setting.metadata_context();
  const std::string& path = core_->contents.path();
  if (mode_ == Mode::create) return MetadataOwner::create(context, path);
  const bool writable = mode_ == Mode::write;
  SCORPIO_ASSIGN(auto metadata, MetadataOwner::open(context, path, writable));
  const Result<format::Contents> contents = metadata->load();
  Status usable = contents.status();
  if (usable.ok() && writable) usable = check_eager(core_->setting.options(), metadata->format(), path);
  if (!usable.ok()) {
    metadata->discard();
    return usable;
  }
  message_ = format::serialise(contents->schema, contents->placements);
  return metadata;
}

Opening::Facts Opening::make() {
  Facts facts;
  made_ = guarded([&]() -> Status {
    if (!system_.is_metadata_rank()) return {};
    SCORPIO_ASSIGN(metadata_, made());
    if (mode_ != Mode::read) facts.place = {place_hash(core_->contents.path())};
    facts.block_bytes = {metadata_->block_bytes()};
    facts.stripes = {metadata_->stripes()};
    facts.end_of_allocation = {metadata_->library().end_of_allocation()};
    facts.temporary = {metadata_->container().temporary()};
    facts.format = {metadata_->format().capabilities().number};
    return {};
  });
  facts.schema_bytes = {message_.size()};
  facts.failed = {!made_.ok()};
  return facts;
}

Status Opening::take(const Facts& facts) {
  const auto open = [&] {
    core_->open({.format = &format::format_numbered(facts.format.value),
                 .block_bytes = facts.block_bytes.value,
                 .stripes = facts.stripes.value,
                 .end_of_allocation = facts.end_of_allocation.value,
                 .temporary = facts.temporary.value,
                 .created = mode_ == Mode::create},
                std::move(metadata_), std::move(channel_));
    if (mode_ != Mode::read)
      system_.posted_files().will_be_written(core_->contents.path(), facts.place.value);
    return Status();
  };
  const bool empty = facts.schema_bytes.value == 0;  // then the ranks send nothing more
  const Status opened = guarded(open);
  const Status taken = empty ? opened
                             : core_->contents.take(system_.comm(), system_.metadata_rank(), opened,
                                                    std::move(message_), facts.schema_bytes.value);
  if (taken.ok()) {
    system_.records().accounts.opened(core_->setting.account());
    return {};
  }
  if (core_->metadata != nullptr) core_->metadata->discard();
  core_->metadata.reset();
  core_->close_channel();
  return empty ? taken : first_failure(taken, system_.comm().barrier());
}

}  // namespace scorpio::session
