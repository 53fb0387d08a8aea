#include "session/core.h"

#include <algorithm>
#include <array>

#include "base/id_range.h"
#include "comm/agree.h"
#include "session/kept_definitions.h"
#include "storage/atomic_commit.h"

namespace scorpio::session {

Core::Core(System& system, std::string path, Options options, bool writable,
           std::shared_ptr<observe::FileAccount> account)
    : system_(system),
      path_(std::move(path)),
      account_(std::move(account)),
      options_(std::move(options)),
      eager_(writable && options_.boolean(Option::eager)),
      number_(system.next_number()),
      state_(FileState::opened(path_, writable, false)) {
  account_->number = number_;
}

Core::~Core() = default;

comm::RangePhase Core::ranges() const {
  return {comm(), options_.choice(Option::ranges) == "allgather", system_.counters().range_bytes};
}

void Core::enter(const char* kind) const {
  drop_kept_definitions();
  comm().enter(kind, number_, path_);
}

void Core::keep_definitions(std::unique_ptr<KeptDefinitions> kept) { kept_definitions_ = std::move(kept); }

std::unique_ptr<KeptDefinitions> Core::take_kept_definitions() { return std::move(kept_definitions_); }

void Core::drop_kept_definitions() const { kept_definitions_.reset(); }

MetadataOwner::Context Core::metadata_context() {
  return {&system_.store(), &system_.counters(), &system_.events(), &options_};
}

void Core::open(const Opened& opened, std::unique_ptr<MetadataOwner> metadata,
                std::unique_ptr<exchange::FileChannel> channel) {
  metadata_ = std::move(metadata);
  channel_ = std::move(channel);
  format_ = opened.format;
  domains_.emplace(system_.domain_rule(opened.block_bytes), opened.stripes, options_);
  place_ = opened.place;
  if (format_->capabilities().records_in_turns) domains_->fix_for_records_in_turns();
  make_layout(opened.end_of_allocation);
  const bool define_mode = layout_->traits().define_mode;
  state_ = opened.created ? FileState::created(path_, define_mode)
                          : FileState::opened(path_, state_.writable(), define_mode);
  open_data(opened.temporary);
  account_->path = path_;
  account_->format = format_->capabilities().name;
  account_->block_bytes = opened.block_bytes;
  account_->shares_slot = channel_->lease().shared;
  account_->asynchronous = channel_->background();
  account_->posts_close = options_.choice(Option::close) == "post";
}

// Each I/O rank has chunks in one thread at a time, its own or that of option `asynchronous`.
format::ChunkWishes Core::chunk_wishes() const {
  return format::ChunkWishes::of(options_, static_cast<int64_t>(system_.io_ranks().size()));
}

// take_contents() gives it the contents of a file that exists.
void Core::make_layout(uint64_t end_of_allocation) {
  layout_ = format_->layout({.options = options_,
                             .block_bytes = domains_->rule().block_bytes,
                             .unit_bytes = domains_->rule().unit_bytes,
                             .end_of_allocation = end_of_allocation,
                             .eager = eager_,
                             .chunks = chunk_wishes()});
  domains_->keep_whole(layout_->undivided_bytes());
}

void Core::take_name() {
  if (!temporary_) return;
  temporary_ = false;
  data_->set_path(path_);
}

void Core::open_data(bool temporary) {
  temporary_ = temporary;
  data_ = format_->data({.store = system_.store(),
                         .path = temporary ? storage::temporary_name(path_) : path_,
                         .schema = schema_,
                         .layout = *layout_,
                         .writable = state_.writable(),
                         .durable = options_.boolean(Option::durable),
                         .block_bytes = domains_->rule().block_bytes,
                         .chunk_bytes = options_.bytes(Option::chunk_bytes),
                         .counters = system_.counters(),
                         .tasks = system_.tasks()});
  chunks_ = data_->chunks();
  if (metadata_ != nullptr) data_->adopt(metadata_->container());
  channel_->set_sink(*data_);
  channel_->set_policy({.priority = static_cast<int>(options_.integer(Option::priority)),
                        .bytes_per_s = options_.bytes(Option::bandwidth)});
  open_rounds();
}

void Core::open_rounds() {
  rounds_.emplace(*channel_, *layout_, !eager_);
  if (chunks_ == nullptr || !rounds_->in_use() || system_.worker() == nullptr) return;
  const plan::DomainRule& rule = domains_->rule();
  const RoundLimits limits =
      round_limits(options_.bytes(Option::chunk_bytes), rule.unit_bytes, system_.io_ranks().size());
  rounds_->begin_here({*channel_, *chunks_, *system_.worker(), [this] { return system_.writer(); }, number_,
                       static_cast<size_t>(system_.my_owner()), rule.block_bytes, limits.closes,
                       limits.most_bytes, limits.most_rounds,
                       static_cast<int>(options_.integer(Option::priority))});
}

Result<const model::Variable*> Core::variable(int index) const {
  if (index < 0 || index >= schema_.variable_count() || !schema_.alive(index)) {
    return failure(Code::handle, "variable id {} of {} does not exist ({}{})", index, path_,
                   id_range(schema_.variable_count()),
                   schema_.variable_count() == 0 ? "" : ", without removed ones");
  }
  return &schema_.variable(index);
}

Status Core::take_contents(std::vector<std::byte> message, uint64_t bytes) {
  if (bytes == 0) return {};
  message.resize(bytes);
  SCORPIO_TRY(comm().broadcast(std::span(message), system_.metadata_rank()));
  Result<format::Contents> contents = format::deserialise(message);
  if (contents.ok()) {
    schema_ = std::move(contents->schema);
    layout_->found(schema_, std::move(contents->placements));
  }
  return comm::agree(comm(), contents.status());
}

Status Core::share_contents() {
  std::vector<std::byte> bytes;
  if (metadata_ != nullptr) bytes = format::serialise(schema_, layout_->placements());
  std::array<int64_t, 1> length{static_cast<int64_t>(bytes.size())};
  SCORPIO_TRY(comm().broadcast(length, system_.metadata_rank()));
  return take_contents(std::move(bytes), static_cast<uint64_t>(length[0]));
}

// The call in progress is not counted yet; it copies nothing.
void Core::take_meanwhile() {
  if (system_.my_owner() < 0) return;
  account_->meanwhile = channel_->meanwhile();
  account_->meanwhile.communication_ns = account_->counters.time_exchange_ns;
}

void Core::close_channel() {
  rounds_.reset();
  system_.close_channel(std::move(channel_), state_.lost().ok());
}

}  // namespace scorpio::session
