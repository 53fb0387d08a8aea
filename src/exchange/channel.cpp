#include "exchange/channel.h"

#include <utility>

#include "base/hash.h"
#include "exchange/stall_watch.h"

namespace scorpio::exchange {

Channel::Channel(const Fabric& fabric, const Lease& lease, std::unique_ptr<IoPhase> io)
    : state_(fabric, lease, std::move(io)), puts_(state_), gets_(state_) {
  if (fabric.watch != nullptr) fabric.watch->add(state_.link);
}

Channel::~Channel() {
  if (state_.link.fabric().watch != nullptr) state_.link.fabric().watch->remove(state_.link);
}

// Between nodes nothing is waited for: who takes part in the call there learns from the question that this
// node does not, and who nobody waits for learns it at the next sync point.
void Channel::skip() {
  Link& link = state_.link;
  link.enter_skipped_call();
  bool same = false;
  const Status entered = state_.waiting.until([&] { return link.all_entered(same); });
  if (!entered.ok() || !same) return link.fail();
  link.name_skipped_call();
  if (link.several_nodes() && link.is_leader() && link.fabric().watch != nullptr) link.fabric().watch->ask();
}

void Channel::abandon() {
  state_.arrivals.cancel_receives();
  state_.courier.cancel_receives();
}

Status Channel::drain() {
  if (!state_.link.several_nodes()) return {};
  state_.arrivals.cancel_receives();
  state_.courier.cancel_receives();
  const Status drained = state_.link.drain();
  state_.arrivals.complete_sends();
  state_.courier.complete_sends();
  return drained;
}

void Channel::forget(const Outlet& outlet) { std::erase(state_.outlets, &outlet); }

// What follows in later windows is the same on all ranks if this is.
void Channel::begin_operation(const Flow& flow, bool reading, Outlet& outlet) {
  if (state_.outlet_of(outlet.file) == nullptr) state_.outlets.push_back(&outlet);
  state_.link.enter_call(flow.hash(reading) ^ mixed(outlet.file));
  ++state_.link.counters().operations;
}

// On one node, where it was measured; between nodes gets go region by region.
uint64_t Channel::regions_in_a_pass(bool reading) const {
  if (state_.link.several_nodes() || !(reading ? gets_.batches() : puts_.batches())) return 0;
  return state_.link.fabric().io_ranks->size() * state_.batch_regions();
}

Result<uint64_t> Channel::put(const Flow& flow, Outlet& outlet) {
  if (failed()) return gave_up();
  if (!flow.continues) begin_operation(flow, false, outlet);
  return puts_.put(flow, outlet);
}

Status Channel::flush(Outlet& outlet) {
  state_.link.enter_flush();
  state_.close_all();
  state_.arrivals.demand_before(state_.schedule.closes());
  Status waited = state_.waiting.until([this] { return state_.arrivals.idle() && state_.courier.idle(); });
  if (waited.ok()) waited = state_.waiting.until_owners_are_done(state_.schedule);
  state_.link.leave_flush();
  return first_failure(outlet.take_status(), waited);
}

Result<uint64_t> Channel::get(const Flow& flow, storage::Source& source, Outlet& outlet) {
  if (failed()) return gave_up();
  if (!flow.continues) begin_operation(flow, true, outlet);
  const Result<uint64_t> misfits = gets_.get(flow, source, outlet);
  SCORPIO_TRY(first_failure(outlet.take_status(), misfits.status()));
  if (!flow.continues) state_.link.counters().bytes_fetched += flow.bytes();
  return misfits;
}

}  // namespace scorpio::exchange
