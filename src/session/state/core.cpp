#include "session/state/core.h"

#include "storage/atomic_commit.h"

namespace scorpio::session {

namespace {

std::string options_set_for_files(const Options& options) {
  std::string text;
  for (const OptionSpec& spec : known_options()) {
    if (!spec.per_file || options.source(spec.id) < Source::rule) continue;
    text += (text.empty() ? "" : ", ") + options.describe(spec.id);
  }
  return text;
}

}  // namespace

Core::Core(System& system, std::string path, Options options, bool writable,
           std::shared_ptr<observe::FileAccount> account)
    : system_(system),
      account_(std::move(account)),
      options_(std::move(options)),
      eager_(writable && options_.boolean(Option::eager)),
      number_(system.next_number()),
      contents_(std::move(path)),
      state_(FileState::opened(contents_.path(), writable, false)) {
  account_->number = number_;
}

Core::~Core() = default;

comm::RangePhase Core::ranges() const {
  return {comm(), options_.choice(Option::ranges) == "allgather", system_.records().counters.range_bytes};
}

void Core::enter(const char* kind) const {
  kept_definitions_.reset();
  comm().enter(kind, number_, path());
}

MetadataOwner::Context Core::metadata_context() {
  return {&system_.store(), &system_.records().counters, &system_.records().events, &options_};
}

void Core::open(const Opened& opened, std::unique_ptr<MetadataOwner> metadata,
                std::unique_ptr<exchange::FileChannel> channel) {
  metadata_ = std::move(metadata);
  channel_ = std::move(channel);
  domains_.emplace(system_.domain_rule(opened.block_bytes), opened.stripes, options_);
  if (opened.format->capabilities().records_in_turns) domains_->fix_for_records_in_turns();
  begin_contents(opened);
  const bool define_mode = layout().traits().define_mode;
  state_ = opened.created ? FileState::created(path(), define_mode)
                          : FileState::opened(path(), state_.writable(), define_mode);
  open_data(opened.temporary);
  account_->path = path();
  account_->format = format().capabilities().name;
  account_->block_bytes = opened.block_bytes;
  account_->shares_slot = channel_->lease().shared;
  account_->asynchronous = channel_->background();
  account_->options = options_set_for_files(options_);
  account_->posts_close = options_.choice(Option::close) == "post";
}

// take() gives them what a file contains that exists. Each I/O rank has chunks in one thread at a time, its
// own or that of option `asynchronous`.
void Core::begin_contents(const Opened& opened) {
  contents_.begin(*opened.format, {.options = options_,
                                   .block_bytes = domains_->rule().block_bytes,
                                   .unit_bytes = domains_->rule().unit_bytes,
                                   .end_of_allocation = opened.end_of_allocation,
                                   .eager = eager_,
                                   .chunks = format::ChunkWishes::of(
                                       options_, static_cast<int64_t>(system_.io_ranks().size()))});
  domains_->keep_whole(layout().undivided_bytes());
}

void Core::take_name() {
  if (!temporary_) return;
  temporary_ = false;
  data_->set_path(path());
}

void Core::open_data(bool temporary) {
  temporary_ = temporary;
  data_ = format().data({.store = system_.store(),
                         .path = temporary ? storage::temporary_name(path()) : path(),
                         .variables = schema().variables(),
                         .layout = layout(),
                         .writable = state_.writable(),
                         .durable = options_.boolean(Option::durable),
                         .block_bytes = domains_->rule().block_bytes,
                         .chunk_bytes = options_.bytes(Option::chunk_bytes),
                         .counters = system_.records().counters,
                         .tasks = system_.tasks()});
  chunks_ = data_->chunks();
  if (metadata_ != nullptr) data_->adopt(metadata_->container());
  channel_->set_sink(*data_);
  channel_->set_policy({.priority = static_cast<int>(options_.integer(Option::priority)),
                        .bytes_per_s = options_.bytes(Option::bandwidth)});
  open_rounds();
}

void Core::open_rounds() {
  rounds_.emplace(*channel_, layout(), !eager_);
  if (chunks_ == nullptr || !rounds_->in_use() || system_.worker() == nullptr) return;
  const plan::DomainRule& rule = domains_->rule();
  const RoundLimits limits =
      round_limits(options_.bytes(Option::chunk_bytes), rule.unit_bytes, system_.io_ranks().size());
  rounds_->begin_here({*channel_, *chunks_, *system_.worker(), [this] { return system_.writer(); }, number_,
                       static_cast<size_t>(system_.my_owner()), rule.block_bytes, limits.closes,
                       limits.most_bytes, limits.most_rounds,
                       static_cast<int>(options_.integer(Option::priority))});
}

// The call in progress is not counted yet; it copies nothing.
void Core::take_meanwhile() {
  if (system_.my_owner() < 0) return;
  account_->meanwhile = channel_->meanwhile();
  account_->meanwhile.communication_ns = account_->counters.time_exchange_ns;
}

void Core::close_channel() {
  rounds_.reset();
  system_.channels().close(std::move(channel_), state_.lost().ok());
}

}  // namespace scorpio::session
