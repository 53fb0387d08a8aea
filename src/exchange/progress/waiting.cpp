#include "exchange/progress/waiting.h"

#include "exchange/link/stall_watch.h"

namespace scorpio::exchange {

namespace {

// To ask MPI for questions of other nodes takes as long as all other work of a rank that finds nothing to do.
// Questions are rare, and come when ranks have waited for long already.
constexpr uint64_t k_looks_of_an_answer = 16;

}  // namespace

using plan::SlotUse;

Status gave_up() {
  return failure(Code::aborted,
                 "abandoned because another rank could not take part in a data call; the next sync or close "
                 "returns the cause");
}

bool Waiting::pass_on() {
  bool moved = arrivals_.progress();
  if (ahead_ != nullptr && (*ahead_)()) moved = true;
  if (io_.progress()) moved = true;
  if (arrivals_.retire()) moved = true;  // the condition of this rank may hold now
  if (rounds_.progress()) moved = true;
  if (together_ != nullptr && cross()) moved = true;
  if (!link_.several_nodes() || !link_.is_leader()) return moved;
  return leader_transfer_.progress() || moved;
}

// Slots that are to be filled from a file are filled inside calls: the library that reads may be in use by
// the program.
bool Waiting::pass_between_nodes() {
  bool moved = arrivals_.progress();
  if (rounds_.progress()) moved = true;
  if (together_ != nullptr && cross()) moved = true;
  return (link_.is_leader() && leader_transfer_.progress()) || moved;
}

bool Waiting::cross() {
  const Result<bool> moved = together_->progress();
  if (moved.ok()) return *moved;
  if (why_.ok()) why_ = moved.status();
  link_.fail();
  return false;
}

// Messages of other nodes are answered only inside calls: a rank that is in no call may still make theirs.
bool Waiting::progress() {
  const bool moved = pass_on();
  const bool may_answer = link_.several_nodes() && link_.context().watch != nullptr;
  if (!moved && may_answer && idle_looks_++ % k_looks_of_an_answer == 0) link_.context().watch->answer(false);
  return moved || (link_.context().tasks != nullptr && link_.context().tasks->help());
}

void Waiting::ask_when_due(std::optional<Time>& asks_at) const {
  if (link_.context().watch == nullptr) return;
  const Time now = std::chrono::steady_clock::now();
  if (!asks_at) asks_at = now + link_.context().patience;
  if (now < *asks_at) return;
  link_.context().watch->ask();
  asks_at = Time::max();  // no further progress of this rank can be reported
}

Status Waiting::until_reached(int owner, int slot, uint64_t value) {
  const SlotCounter& counter = link_.slot_counter(owner, slot);
  if (counter.reached(value)) return {};
  const Link::Pressing pressing(link_);
  link_.watch(owner, slot, value);
  const Status status = until([&] { return counter.reached(value); });
  link_.unwatch();
  return status;
}

Status Waiting::until_free(const SlotUse& activation, bool contributing) {
  if (is_free(activation, contributing)) return {};
  const int owner = activation.unit.owner;
  if (!link_.owner_is_here(owner)) {
    const NodeLine& line = link_.node_line();
    return until([&] { return line.released.load() > activation.out_free_after; });
  }
  if (activation.free_after != plan::k_never) {
    if (owner == link_.my_owner()) arrivals_.demand_before(activation.free_after + 1);
    SCORPIO_TRY(until_reached(owner, activation.slot, SlotCounter::free_for(activation.use)));
  }
  const Link::Pressing pressing(link_);
  return until([&] { return binder_.bind(activation); });
}

bool Waiting::is_free(const SlotUse& activation, bool contributing) {
  const int owner = activation.unit.owner;
  if (link_.owner_is_here(owner)) {
    if (!contributing && owner != link_.my_owner()) return true;
    const bool ended =
        activation.free_after == plan::k_never ||
        link_.slot_counter(owner, activation.slot).reached(SlotCounter::free_for(activation.use));
    return ended && binder_.bind(activation);
  }
  if (activation.out_free_after == plan::k_never || (!contributing && !link_.is_leader())) return true;
  return link_.node_line().released.load() > activation.out_free_after;
}

Status Waiting::until_due_units_are_done(const plan::SlotSchedule& schedule) {
  (void)progress();
  const uint64_t due = schedule.reused();
  arrivals_.demand_before(due);
  // A worker gives slots back while its rank makes no call.
  const bool background = link_.context().background;
  const auto done = [&] {
    return (background ? arrivals_.handed_on_before(due) : arrivals_.finished_before(due)) &&
           leader_transfer_.finished_before(due) && (together_ == nullptr || together_->finished_before(due));
  };
  if (done()) return {};
  const Link::Pressing pressing(link_);
  return until(done);
}

void Waiting::hand_on() {
  if (link_.my_owner() < 0) return;
  while (arrivals_.progress()) {
  }
  (void)arrivals_.retire();
  (void)rounds_.progress();
  if (together_ == nullptr) arrivals_.look();  // from now on the worker does this
}

Status Waiting::until_owners_are_done(const plan::SlotSchedule& schedule) {
  if (!link_.several_nodes()) return {};
  for (size_t owner = 0; owner < link_.context().io_ranks->size(); ++owner) {
    const int number = static_cast<int>(owner);
    if (!link_.owner_is_here(number) || number == link_.my_owner()) continue;
    // The last slot usually takes longest, so that this rank sleeps once.
    const auto& closed = schedule.closed_slots(number);
    for (auto at = closed.rbegin(); at != closed.rend(); ++at)
      SCORPIO_TRY(until_reached(number, at->slot, SlotCounter::end_of(at->use)));
  }
  return {};
}

}  // namespace scorpio::exchange
