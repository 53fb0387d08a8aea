#include "exchange/channel.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "exchange/link/stall_watch.h"

namespace scorpio::exchange {

Channel::Channel(const ChannelContext& context, const Lease& lease, std::unique_ptr<IoPhase> io)
    : state_(context, lease, std::move(io)),
      placement_rounds_(state_.link, state_.rounds, state_.waiting),
      puts_(state_),
      gets_(state_) {
  if (context.watch != nullptr) context.watch->add(state_.link);
  // What crosses in rounds is taken in calls alone (Waiting::hand_on).
  if (context.background && state_.link.my_owner() >= 0 && state_.together == nullptr)
    state_.io->attend(state_.arrivals);
}

Channel::~Channel() {
  state_.io->leave();
  if (state_.link.context().watch != nullptr) state_.link.context().watch->remove(state_.link);
}

// Between nodes this call does not wait. A rank that takes part in the call on another node learns from the
// question that this node has left it out. Other ranks learn it at the next synchronisation point.
void Channel::skip() {
  Link& link = state_.link;
  bool same = false;
  const Status entered = link.carry_out([&] {
    link.calls().enter_skipped();
    return state_.waiting.until([&] { return link.calls().all_entered(same); });
  });
  link.calls().leave_skipped();
  if (!entered.ok() || !same) return link.fail();
  link.calls().name_skipped();
  if (!link.several_nodes() || !link.is_leader() || link.context().watch == nullptr) return;
  (void)link.carry_out([&] {
    link.context().watch->ask();
    return Status();
  });
}

void Channel::abandon() {
  state_.arrivals.cancel_receives();
  state_.leader_transfer.cancel_receives();
  state_.rounds.cancel_receives();
}

Status Channel::drain() {
  for (FileIo* file_io : state_.file_ios) stop(*file_io);
  if (!state_.link.several_nodes()) return {};
  state_.arrivals.cancel_receives();
  state_.leader_transfer.cancel_receives();
  state_.rounds.cancel_receives();
  SCORPIO_TRY(finish_rounds());
  const Status drained = state_.link.messages().drain();
  state_.arrivals.complete_sends();
  state_.leader_transfer.complete_sends();
  state_.rounds.complete_sends();
  return drained;
}

// The ranks that take part may have begun different numbers of steps.
Status Channel::finish_rounds() {
  const ChannelContext& context = state_.link.context();
  if (context.exchanges == nullptr) return {};
  const std::vector<int64_t> own{state_.together ? state_.together->begun() : 0};
  const std::vector<std::vector<int64_t>> to_all(static_cast<size_t>(context.messages->size()), own);
  SCORPIO_ASSIGN(const auto begun, context.messages->all_to_all(to_all));
  int64_t most = 0;
  for (const auto& of_rank : begun) most = std::max(most, of_rank.front());
  return state_.together ? state_.together->finish(most, context.longest_wait) : Status();
}

void Channel::stop(FileIo& file_io) {
  state_.arrivals.part_with(file_io);
  state_.io->drop(file_io);
  file_io.take_worked(state_.link.counters());
}

void Channel::forget(FileIo& file_io) {
  stop(file_io);
  std::erase(state_.file_ios, &file_io);
}

// Later windows of the operation are the same on all ranks if its first window is, so only that one is
// compared.
void Channel::begin_operation(const Flow& flow, bool reading, FileIo& file_io) {
  if (std::ranges::find(state_.file_ios, &file_io) == state_.file_ios.end())
    state_.file_ios.push_back(&file_io);
  state_.link.calls().enter(flow.hash(reading) ^ mixed(file_io.file));
  ++state_.link.counters().operations;
}

// Units are copied in one pass on one node only, where the gain was measured. Between nodes gets proceed unit
// by unit.
uint64_t Channel::units_in_a_pass(bool reading) const {
  if (state_.link.several_nodes() || !(reading ? gets_.batches() : puts_.batches())) return 0;
  return state_.link.context().io_ranks->size() * state_.batch_units();
}

Result<uint64_t> Channel::put(const Flow& flow, FileIo& file_io) {
  if (failed()) return gave_up();
  uint64_t misfits = 0;
  SCORPIO_TRY(state_.link.carry_out([&]() -> Status {
    if (!flow.continues) begin_operation(flow, false, file_io);
    SCORPIO_ASSIGN(misfits, puts_.put(flow, file_io));
    return {};
  }));
  return misfits;
}

// Closes all units with data that were put, so that they reach their I/O ranks; `wait` waits until they are
// passed on or written.
template <typename Wait>
Status Channel::flush_until(Wait&& wait) {
  const Status waited = state_.link.carry_out([&] {
    state_.link.calls().enter_flush();
    state_.close_all();
    state_.arrivals.demand_before(state_.schedule.closes());
    return wait();
  });
  state_.link.calls().leave_flush();
  return waited;
}

Status Channel::deliver() {
  return flush_until([this] {
    return state_.waiting.until([this] {
      return state_.arrivals.all_handed_on() && state_.leader_transfer.idle() && state_.has_crossed();
    });
  });
}

void Channel::pass_on() {
  if (failed()) return;
  (void)state_.link.carry_out([this] {
    while (state_.waiting.pass_on()) {
    }
    return Status();
  });
}

// No shared counter is read if nothing is left: another rank may be setting those of a channel that ends, or
// of a new one, to zero.
bool Channel::crosses_nodes() const {
  if (!state_.link.several_nodes()) return false;
  const bool idle = state_.arrivals.all_handed_on() && state_.leader_transfer.idle() &&
                    state_.has_crossed() && state_.rounds.complete();
  return !idle && !failed();
}

bool Channel::pass_between_nodes() {
  if (!crosses_nodes()) return false;
  bool moved = false;
  (void)state_.link.carry_out([&] {
    moved = state_.waiting.pass_between_nodes();
    return Status();
  });
  return moved;
}

bool Channel::written_by(int owner) const {
  const auto& closed = state_.schedule.closed_slots(owner);
  return std::all_of(closed.begin(), closed.end(), [&](const auto& one) {
    return state_.link.slot_counter(owner, one.slot).reached(SlotCounter::end_of(one.use));
  });
}

std::vector<plan::SlotSchedule::ClosedSlot> Channel::delivered_here() const {
  const auto& closed = state_.schedule.closed_slots(state_.link.my_owner());
  return {closed.begin(), closed.end()};
}

bool Channel::written(const std::vector<plan::SlotSchedule::ClosedSlot>& slots) const {
  const int owner = state_.link.my_owner();
  return std::all_of(slots.begin(), slots.end(), [&](const auto& one) {
    return state_.link.slot_counter(owner, one.slot).reached(SlotCounter::end_of(one.use));
  });
}

bool Channel::written() const {
  const int owners = static_cast<int>(state_.link.context().io_ranks->size());
  for (int owner = 0; owner < owners; ++owner) {
    if (state_.link.owner_is_here(owner) && !written_by(owner)) return false;
  }
  return true;
}

Status Channel::flush(FileIo& file_io) {
  const Status waited = flush_until([this]() -> Status {
    const Link::Pressing pressing(state_.link);
    SCORPIO_TRY(state_.waiting.until(
        [this] { return state_.arrivals.idle() && state_.leader_transfer.idle() && state_.has_crossed(); }));
    return state_.waiting.until_owners_are_done(state_.schedule);
  });
  stop(file_io);  // needed also if all is written: a thread that wrote may still be waking other ranks
  return waited;
}

Result<uint64_t> Channel::get(const Flow& flow, storage::Source& source, FileIo& file_io) {
  if (failed()) return gave_up();
  uint64_t misfits = 0;
  const Status got = state_.link.carry_out([&]() -> Status {
    if (!flow.continues) begin_operation(flow, true, file_io);
    SCORPIO_ASSIGN(misfits, gets_.get(flow, source, file_io));
    return {};
  });
  SCORPIO_TRY(first_failure(file_io.take_read_status(), got));
  if (!flow.continues) state_.link.counters().bytes_fetched += flow.bytes();
  return misfits;
}

}  // namespace scorpio::exchange
