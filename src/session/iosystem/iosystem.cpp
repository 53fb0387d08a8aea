#include "session/iosystem/iosystem.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <random>

#include "base/current_call.h"
#include "base/variable_names.h"
#include "comm/agree.h"
#include "comm/mpi_state.h"
#include "exchange/link/shared_bell.h"
#include "format/registry.h"
#include "plan/io_rank_options.h"
#include "session/iosystem/agreed_options.h"
#include "session/iosystem/built_with.h"
#include "session/iosystem/library_version.h"
#include "session/iosystem/report.h"
#include "session/iosystem/staging_choice.h"
#include "session/iosystem/worker_place.h"
#include "storage/make_store.h"

namespace scorpio::session {

IoSystem::IoSystem() {
  static std::atomic<uint64_t> made = 0;
  identity_ = ++made;
}

// The thread uses members that are destroyed before it.
IoSystem::~IoSystem() { between_nodes_.end_thread(); }

Result<std::unique_ptr<IoSystem>> IoSystem::create(MPI_Comm comm, const OptionSet& options,
                                                   const Status& arguments) {
  std::unique_ptr<IoSystem> system(new IoSystem());
  const observe::Timer timer(system->records().counters.time_init_ns);
  Status status = system->set_up(comm, options, arguments);
  if (!status.ok()) {
    Status ignored;
    system->release(ignored);
    return status;
  }
  return system;
}

Status IoSystem::set_up(MPI_Comm comm, const OptionSet& asked, const Status& arguments) {
  SCORPIO_ASSIGN(comm_, comm::Communicator::duplicate(comm));
  comm_.count_in(records().counters.agreements, records().counters.time_agree_ns);
  comm_.compare_calls();
  comm_.enter("scorpio_iosystem_create");
  messages_ = std::make_shared<FailureMessages>(comm_.rank(), messages_asked(asked));
  keep_current_teller(messages_);
  SCORPIO_TRY(between_nodes_.begin());
  SCORPIO_TRY(resolve_options(asked, arguments));
  for (comm::Communicator* ranks : {&comm_, &between_nodes_.messages()})
    ranks->wait_at_most(std::chrono::seconds(options().integer(Option::timeout_s)));
  auto store = storage::make_store(options().choice(Option::store), options().text(Option::store_faults),
                                   records().counters);
  SCORPIO_TRY(comm::agree(comm_, store.status()));
  store_ = std::move(store).value();
  SCORPIO_ASSIGN(nodes_, comm::find_nodes(comm_, static_cast<int>(options().integer(Option::nodes)), false));
  messages_->begin(nodes_.node, options().choice(Option::messages));
  SCORPIO_TRY(choose_io_ranks());  // by the real nodes, also if no memory is shared
  SCORPIO_TRY(make_staging());
  SCORPIO_TRY(between_nodes_.make_exchanges(options(), staging().sizes().channels));
  context_.exchanges = between_nodes_.exchanges();
  SCORPIO_TRY(memory_.meet(comm_, nodes_));
  if (options().boolean(Option::shared_encoding)) {
    memory_.share_encoding(comm_, nodes_, my_owner(), records().counters);
    context_.tasks = memory_.tasks();
  }
  // Before the worker, which records too.
  recording_.begin({agreed_.report, agreed_.trace, comm::world_rank()}, options());
  SCORPIO_TRY(make_workers());
  SCORPIO_TRY(watch_calls());
  SCORPIO_TRY(comm::agree(comm_, is_metadata_rank() ? format::start_libraries() : Status()));
  recording_.begin_report(options());
  return between_nodes_.start_thread(options(), *channels_, *workers_, recording_.trace());
}

// Finds ranks that wait for each other in different calls.
Status IoSystem::watch_calls() {
  std::array<int64_t, 1> token{static_cast<int64_t>(std::random_device()())};
  if (nodes_.nodes() > 1) SCORPIO_TRY(comm_.broadcast(token, 0));
  const exchange::StallWatch::Agreements agreements{comm_, comm_.calls(), memory_.meeting()};
  watch_.emplace(agreements, nodes_, io_ranks_, static_cast<uint64_t>(token[0]));
  context_.watch = &*watch_;
  make_channels();
  if (nodes_.nodes() == 1) return {};
  while_waiting_ = [this] { watch_->answer(true); };
  comm_.while_waiting(&while_waiting_);
  if (memory_.meeting() != nullptr) memory_.meeting()->while_waiting(&while_waiting_);
  return {};
}

Result<CpuSet> IoSystem::place_workers() {
  SCORPIO_ASSIGN(WorkerPlace place, place_workers_on(options().text(Option::worker_cpus), nodes_.cpus));
  options().set_in_force(Option::worker_cpus, std::move(place.text));
  return place.cpus;
}

// A list of CPUs is checked also if no worker starts now.
Status IoSystem::make_workers() {
  std::unique_ptr<async::Bell> bell;
  if (my_owner() >= 0) bell = std::make_unique<exchange::SharedBell>(staging().worker_bell(my_owner()));
  workers_.emplace(Workers::Ground{std::move(bell), works(), [this] { return place_workers(); },
                                   records().events, recording_.trace()});
  if (context_.background) return comm::agree(comm_, workers_->start());
  if (is_cpu_list(options().text(Option::worker_cpus))) return comm::agree(comm_, workers_->cpus().status());
  return {};
}

void IoSystem::progress() {
  observe::Trace* const trace = recording_.trace();
  const observe::TraceHere here(trace != nullptr ? &trace->calls() : nullptr);
  channels_->pass_on();
}

// The number of operations of the executor at one time: one for each channel, and one while a channel is
// replaced.
size_t IoSystem::works() const { return static_cast<size_t>(staging().sizes().channels) + 1; }

void IoSystem::make_channels() {
  executor_.emplace(works());
  channels_.emplace(Channels::Ground{comm_, context_, *executor_, *workers_, records().events,
                                     static_cast<int>(options().integer(Option::staging_files)),
                                     records().backlog ? &*records().backlog : nullptr});
}

Status IoSystem::resolve_options(const OptionSet& options, const Status& arguments) {
  SCORPIO_ASSIGN(agreed_, agree_on_options(comm_, options, arguments));
  for (std::string& note : misspelt_variables(process_variable_names()))
    records().events.add(std::move(note));
  return {};
}

Result<Options> IoSystem::file_options(const std::string& path, const OptionSet& file_options) const {
  return options_of_file(agreed_.options, agreed_.rules, path, file_options);
}

Status IoSystem::choose_io_ranks() {
  SCORPIO_ASSIGN(plan::IoRankChoice choice, plan::choose_io_ranks(nodes_.placement, options()));
  io_ranks_ = std::move(choice.ranks);
  const auto mine = std::ranges::find(io_ranks_, comm_.rank());
  if (mine != io_ranks_.end()) my_owner_ = static_cast<int>(mine - io_ranks_.begin());
  for (std::string& note : choice.notes) records().events.add(std::move(note));
  return {};
}

Status IoSystem::make_staging() {
  SCORPIO_TRY(memory_.make(comm_, io_ranks_, nodes_, options(), records().events));
  context_ = {&between_nodes_.messages(), &nodes_, &io_ranks_, &staging(), &records().counters};
  context_.longest_wait = comm_.longest_wait();
  context_.background = options().boolean(Option::asynchronous);
  context_.gather_writes = options().boolean(Option::gather_writes);
  observe::Counters& counters = records().counters;
  counters.staging_bytes = staging().accounted_bytes();
  observe::raise(counters.staging_peak_bytes, counters.staging_bytes);
  return {};
}

Status IoSystem::reduce_max(const Status& arguments, std::span<uint64_t> values) const {
  comm_.enter("scorpio_iosystem_reduce_max");
  return comm::agree(comm_, arguments, values);
}

Status IoSystem::close() {
  keep_current_teller(messages_);
  workers_->apply_limits(false);
  if (!posted_files_.empty()) posted_files_.complete_all();
  comm_.enter("scorpio_iosystem_free");
  const int files = channels_->open_files();
  const Status open =
      files == 0
          ? Status()
          : failure(Code::state, "{} files are still open; close them before the I/O system is freed", files);
  Status status = comm::agree(comm_, open);
  if (status.ok()) recording_.write(options(), memory_.text());
  if (files != 0 || status.code() == Code::state) {
    workers_->apply_limits(true);
    return status;
  }
  release(status);
  const Status posted = posted_files_.take_failure();  // no later call could return it
  if (status.ok() || posted.ok()) return first_failure(status, posted);
  return Status(status.code(), status.text() + "; " + posted.text()).with_origin(status.origin());
}

// `status` keeps the first failure. If ranks were in different calls, messages may be under way that no rank
// has received. Their communicators are not released, so that no later communicator receives these messages.
void IoSystem::release(Status& status) {
  between_nodes_.end_thread();
  const bool parted = !comm_.parted().ok();
  comm_.while_waiting(nullptr);
  comm_.meet_through(nullptr);
  channels_.reset();
  workers_.reset();
  watch_.reset();
  memory_.release();
  if (parted) return;
  status = first_failure(status, memory_.free());
  status = first_failure(status, between_nodes_.free());
  status = first_failure(status, nodes_.free());
  status = first_failure(status, comm_.free());
}

void IoSystem::reset_counters() {
  observe::Counters& counters = records().counters;
  counters = observe::Counters();
  counters.staging_bytes = counters.staging_peak_bytes = staging().accounted_bytes();
}

std::string IoSystem::describe() const {
  std::string text = options().describe();
  text += fmt::format("SCORPIO {}, built with: {}\n", library_version(), built_with());
  text +=
      fmt::format("ranks: {} on {} node{}\n", comm_.size(), nodes_.nodes(), nodes_.nodes() == 1 ? "" : "s");
  text += fmt::format("I/O ranks: {} ({}); metadata rank {}\n", io_ranks_.size(), fmt::join(io_ranks_, ", "),
                      metadata_rank());
  text += fmt::format("staging: {}\ncollective buffers: {}\n", memory_.kind(), slots_text(staging().sizes()));
  for (const auto& file : records().accounts.open()) {
    text += fmt::format("file {}: {}, opened with {}, blocks of {}{}{}\n", file->path, file->format,
                        file->mode, format_bytes(static_cast<int64_t>(file->block_bytes)),
                        file->shares_slot ? ", shares a slot of the staging memory with other files" : "",
                        file->options.empty() ? "" : "; options: " + file->options);
  }
  for (const std::string& note : notes_of(records().events)) text += fmt::format("note: {}\n", note);
  return text;
}

plan::DomainRule IoSystem::domain_rule(uint64_t block_bytes) const {
  return session::domain_rule(options(), nodes_.nodes(), io_ranks_.size(), staging().sizes().unit_bytes,
                              block_bytes);
}

}  // namespace scorpio::session
