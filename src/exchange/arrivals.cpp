#include "exchange/arrivals.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/message.h"

namespace scorpio::exchange {

namespace {

// Whether the slot of a read of this I/O rank holds the bytes of the file.
bool is_filled(const Link& link, const Job& job) {
  return link.slot_counter(link.my_owner(), job.slot).reached(SlotCounter::filled_in(job.use));
}

}  // namespace

Arrivals::Arrivals(Link& link, IoPhase& io) : link_(link), io_(io) {}

// A message for each other node that writes to the unit, a request and its reply for each that reads it.
void Arrivals::push(Job job) {
  const auto here = std::count(job.nodes.begin(), job.nodes.end(), link_.my_node());
  const uint64_t others = job.nodes.size() - static_cast<size_t>(here);
  link_.counters().planned_messages += job.read ? 2 * others : others;
  const MutexLock lock(mutex_);
  jobs_.push_back(std::move(job));
}

bool Arrivals::slot_free(const plan::Activation& activation) const {
  return link_.slot_counter(link_.my_owner(), activation.slot).reached(SlotCounter::free_for(activation.use));
}

bool Arrivals::progress() {
  const MutexLock lock(mutex_);
  return step(Who::rank);
}

// In a channel that has failed no slot is passed on, because its outlets may no longer exist. A unit that
// becomes complete during the first look is found by the second one, or by the rank that completes it and
// wakes the worker.
void Arrivals::look() noexcept {
  const MutexLock lock(mutex_);
  for (int looks = 0; looks < 2 && looks_ && !link_.failed(); ++looks) {
    while (step(Who::worker)) looks = 0;
  }
}

void Arrivals::part_with(const Outlet& outlet) {
  const MutexLock lock(mutex_);
  for (size_t i = handed_on_; i < jobs_.size(); ++i) looks_ = looks_ && jobs_[i].outlet != &outlet;
}

bool Arrivals::step(Who who) {
  const bool prepared = prepare(who);
  const size_t ready = batch();
  for (size_t i = 0; i < ready; ++i) hand_on(jobs_[handed_on_++]);
  return prepared || ready > 0;
}

// The counter of a slot says which of its uses are over.
bool Arrivals::settle() {
  const MutexLock lock(mutex_);
  const size_t before = handed_on_;
  while (handed_on_ > 0) {
    const Job& job = jobs_.front();
    if (!link_.slot_counter(link_.my_owner(), job.slot).reached(SlotCounter::end_of(job.use))) break;
    jobs_.pop_front();
    --handed_on_;
    --prepared_;
  }
  return handed_on_ < before;
}

void Arrivals::await(uint64_t closes, Who who) {
  who == Who::rank ? link_.await(closes) : link_.await_by_worker(closes);
}

// Advances the next job until all its bytes are in its slot, or, for a read, have been copied out of it.
bool Arrivals::prepare(Who who) {
  if (prepared_ == jobs_.size()) return false;
  const Job& job = jobs_[prepared_];
  if (!link_.all_done(job.close + 1) && !job.read) {
    await(job.close + 1, who);
    return false;
  }
  if (next_node_ < job.nodes.size()) return advance_messages(job);
  if (!link_.all_done(job.close + 1)) {
    await(job.close + 1, who);
    return false;
  }
  await(0, who);
  // The slot is filled even if no rank needs its bytes, and its use must not end before that.
  if (job.read && !is_filled(link_, job)) return false;
  next_node_ = 0;
  ++prepared_;
  return true;
}

// The number of jobs to pass on now. They are held back until neighbouring ones can become one write. All
// bytes of units that were closed before a demand arrive without it: a rank that waits for the slot has
// contributed to these units before.
size_t Arrivals::batch() const {
  if (prepared_ == handed_on_) return 0;
  const Job& first = jobs_[handed_on_];
  if (first.read || !link_.fabric().gather_writes) return 1;
  if (first.close >= demanded_) return 0;
  size_t end = handed_on_;
  while (end < jobs_.size() && !jobs_[end].read) ++end;
  const bool more_to_come = prepared_ < end && !link_.several_nodes();
  return more_to_come ? 0 : std::min(prepared_, end) - handed_on_;
}

// The elements of a read have been copied out of its slot.
void Arrivals::hand_on(Job& job) {
  const Completion completion{&link_, job.slot, SlotCounter::end_of(job.use)};
  if (job.read) return completion.done();
  io_.write({job.outlet, job.unit, link_.slot(link_.my_owner(), job.slot), std::move(job.certain), job.exact,
             completion});
}

void Arrivals::fill(const Job& job, ByteRange range, storage::Source& source) {
  io_.read({job.outlet,
            &source,
            job.unit,
            range,
            link_.slot(link_.my_owner(), job.slot).bytes,
            {&link_, job.slot, SlotCounter::filled_in(job.use)}});
}

// ---- messages of other nodes ----

bool Arrivals::advance_messages(const Job& job) {
  const int node = job.nodes[next_node_];
  if (node == link_.my_node()) {
    ++next_node_;
    return true;
  }
  const bool finished = job.read ? answer_request(job, node) : receive_data(job, node);
  if (finished) ++next_node_;
  return finished;
}

bool Arrivals::receive_data(const Job& job, int node) {
  const std::span<std::byte> buffer = link_.owner_message();
  if (!transfer_) transfer_ = link_.receive(buffer, link_.fabric().nodes->leader(node), Link::Tag::data);
  size_t length = 0;
  const Result<bool> arrived = link_.finished(*transfer_, &length);
  if (arrived.ok() && !*arrived) return false;
  transfer_.reset();
  job.outlet->note(arrived.ok() ? unpack(job, buffer.first(length)) : arrived.status());
  return true;
}

Status Arrivals::unpack(const Job& job, std::span<const std::byte> message) {
  SCORPIO_ASSIGN(size_t at, head_length(message, link_.bitmap_bytes()));
  Slot slot = link_.slot(link_.my_owner(), job.slot);
  Status status;
  for_each_run(message.data(), link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    if (end > job.unit.bytes.size() || end - begin > message.size() - at) {
      status = failure(Code::internal, "a staging message names bytes {} to {} of a unit of {}", begin, end,
                       job.unit.bytes.size());
      return;
    }
    std::memcpy(slot.bytes + begin, message.data() + at, end - begin);
    link_.counters().message_copies += end - begin;
    if (!job.exact) slot.bitmap.set(begin, end);
    at += end - begin;
  });
  return status;
}

bool Arrivals::answer_request(const Job& job, int node) {
  const std::span<std::byte> buffer = link_.owner_message();
  const int leader = link_.fabric().nodes->leader(node);
  if (!is_filled(link_, job)) return false;
  if (!transfer_) transfer_ = link_.receive(buffer, leader, Link::Tag::request);
  size_t length = 0;
  const Result<bool> finished = link_.finished(*transfer_, &length);
  if (finished.ok() && !*finished) return false;
  job.outlet->note(finished.status());
  const bool answered = !transfer_->receiving;
  transfer_.reset();
  if (answered) return true;
  const auto reply = reply_to(job, buffer, finished.ok() ? length : 0);
  job.outlet->note(reply.status());
  const std::span<const std::byte> bytes = reply.ok() ? *reply : std::span<const std::byte>();
  transfer_ = link_.send(bytes, bytes.size(), leader, Link::Tag::reply);
  return false;
}

// Who asked knows what the bytes are. One run is sent from the slot, whose use is not over before.
Result<std::span<const std::byte>> Arrivals::reply_to(const Job& job, std::span<std::byte> buffer,
                                                      size_t length) {
  SCORPIO_ASSIGN(const size_t list, head_length(buffer.first(length), link_.bitmap_bytes()));
  const std::byte* image = link_.slot(link_.my_owner(), job.slot).bytes;
  std::optional<ByteRange> only;
  size_t runs = 0;
  for_each_run(buffer.data(), link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    only = {begin, end};
    ++runs;
  });
  if (runs == 1) return std::span<const std::byte>(image + only->begin, only->size());
  const size_t end = append_bytes(buffer.data(), list, link_.bitmap_bytes(), image);
  link_.counters().message_copies += end - list;
  return std::span<const std::byte>(buffer.subspan(list, end - list));
}

}  // namespace scorpio::exchange
