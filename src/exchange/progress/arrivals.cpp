#include "exchange/progress/arrivals.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/images/message.h"

namespace scorpio::exchange {

namespace {

// Whether the slot of a read of this I/O rank holds the bytes of the file.
bool is_filled(const Link& link, const Job& job) {
  return link.slot_counter(link.my_owner(), job.slot).reached(SlotCounter::filled_in(job.use));
}

// Copies a run of the image to `to`, and returns the place after it.
std::byte* append(std::byte* to, const std::byte* image, ByteRange run) {
  move_run(to, image + run.begin, run.size());
  return to + run.size();
}

// A message that is not what this rank expects of the unit is that of another one: its node has made other
// calls.
Status other_calls(int leader, const Status& why) {
  if (why.ok() || why.code() != Code::internal) return why;
  return failure(
      Code::mismatch,
      "rank {} sent data of another call ({}); all ranks must make the same calls in the same order", leader,
      why.text());
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

// In a channel that has failed no slot is passed on, because its FileIos may no longer exist. A unit that
// becomes complete during the first look is found by the second one, or by the rank that completes it and
// wakes the worker. While no unit is left to pass on no shared counter is read: before the first one of a new
// channel, and after the last one of a channel that is replaced, another rank may be setting them to zero.
void Arrivals::look() noexcept {
  const MutexLock lock(mutex_);
  for (int looks = 0; looks < 2 && looks_ && handed_on_ < jobs_.size() && !link_.failed(); ++looks) {
    while (step(Who::worker)) looks = 0;
  }
}

void Arrivals::part_with(const FileIo& file_io) {
  const MutexLock lock(mutex_);
  for (size_t i = handed_on_; i < jobs_.size(); ++i) looks_ = looks_ && jobs_[i].file_io != &file_io;
}

// Slots with chunks are passed on together, as far as they are full, so that other ranks can encode some.
bool Arrivals::step(Who who) {
  bool moved = false, more = true;
  while (more) {
    moved = prepare(who) || moved;
    const size_t ready = batch();
    for (size_t i = 0; i < ready; ++i) hand_on(jobs_[handed_on_++]);
    moved = moved || ready > 0;
    more = ready > 0 && jobs_[handed_on_ - 1].file_io->takes_announcements(jobs_[handed_on_ - 1].unit);
  }
  return moved;
}

// The counter of a slot says which of its uses are over.
bool Arrivals::retire() {
  const MutexLock lock(mutex_);
  const size_t before = handed_on_;
  while (handed_on_ > 0) {
    const Job& job = jobs_.front();
    if (!link_.slot_counter(link_.my_owner(), job.slot).reached(SlotCounter::end_of(job.use))) break;
    jobs_.pop_front();
    --handed_on_;
    --prepared_;
    --expected_;
  }
  return handed_on_ < before;
}

void Arrivals::await(uint64_t closes, Who who) {
  who == Who::rank ? link_.await(closes) : link_.await_by_worker(closes);
}

// Advances the next job until all its bytes are in its slot, or, for a read, have been copied out of it.
bool Arrivals::prepare(Who who) {
  const bool expected = expect_messages(who);
  const bool moved = (who == Who::rank && advance_messages()) || expected;
  if (prepared_ == jobs_.size()) return moved;
  const Job& job = jobs_[prepared_];
  if (!link_.all_done(job.close + 1)) {
    await(job.close + 1, who);
    return moved;
  }
  await(0, who);
  if (prepared_ == expected_ || awaits_messages(job)) return moved;
  // The slot is filled even if no rank needs its bytes, and its use must not end before that.
  if (job.read && !is_filled(link_, job)) return moved;
  ++prepared_;
  return true;
}

// The number of jobs to pass on now. They are held back until neighbouring ones can become one write. All
// bytes of units that were closed before a demand arrive without it: a rank that waits for the slot has
// contributed to these units before.
size_t Arrivals::batch() const {
  if (prepared_ == handed_on_) return 0;
  const Job& first = jobs_[handed_on_];
  if (first.read || !link_.context().gather_writes) return 1;
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
  io_.write({job.file_io, job.unit, link_.slot(link_.my_owner(), job.slot), std::move(job.certain), job.exact,
             completion, job.round, std::move(job.regions)});
}

void Arrivals::fill(const Job& job, std::vector<ByteRange> ranges, storage::Source& source) {
  io_.read({job.file_io,
            &source,
            job.unit,
            std::move(ranges),
            link_.slot(link_.my_owner(), job.slot).bytes,
            {&link_, job.slot, SlotCounter::filled_in(job.use)}});
}

// ---- messages of other nodes ----

// Starts the receives of the next messages, as far as there are buffers for those that need one. The worker,
// which calls no MPI, goes on to the first job that has some.
bool Arrivals::expect_messages(Who who) {
  bool any = false;
  while (expected_ < jobs_.size()) {
    const Job& job = jobs_[expected_];
    if (next_node_ == job.nodes.size()) {
      next_node_ = 0;
      ++expected_;
      continue;
    }
    const int node = job.nodes[next_node_];
    if (node != link_.my_node()) {
      if (who == Who::worker || !expect(job, node)) break;
      any = true;
    }
    ++next_node_;
  }
  return any;
}

// This rank has waited for the slot before the unit was closed; only in a channel in which ranks have made
// different calls it may still be in its use before.
bool Arrivals::expect(const Job& job, int node) {
  const bool in_slot = job.is_one_run_of_a_node();
  if (in_slot ? !slot_free(job) || !link_.is_bound(job) : buffered_ == link_.receives()) return false;
  const int leader = link_.context().nodes->leader(node);
  const ChannelMessages::Tag tag = job.read ? ChannelMessages::Tag::request : ChannelMessages::Tag::data;
  const std::span<std::byte> buffer = in_slot ? place_of_run(job) : link_.owner_message(next_buffer_);
  Exchange& exchange = exchanges_.emplace_back(Exchange{&job, leader, in_slot, buffer});
  exchange.transfer = link_.messages().receive(buffer, leader, tag);
  if (in_slot) return true;
  next_buffer_ = (next_buffer_ + 1) % link_.receives();
  ++buffered_;
  return true;
}

std::span<std::byte> Arrivals::place_of_run(const Job& job) const {
  const ByteRange& run = job.certain.front();
  const Slot slot = link_.slot(link_.my_owner(), job.slot);
  return {slot.bytes + (run.begin - job.unit.bytes.begin), static_cast<size_t>(run.size())};
}

// Messages are taken in one after another; replies to earlier requests may still be under way then.
bool Arrivals::advance_messages() {
  bool moved = false;
  for (Exchange& exchange : exchanges_) {
    if (!exchange.receives()) continue;
    if (!may_take_in(exchange) || !take_in(exchange)) break;
    moved = true;
  }
  while (!exchanges_.empty() && is_over(exchanges_.front())) {
    buffered_ -= exchanges_.front().in_slot ? 0 : 1;
    exchanges_.pop_front();
    moved = true;
  }
  return moved;
}

// The slot of a write may be in its use before until this rank has contributed to the unit.
bool Arrivals::may_take_in(const Exchange& exchange) {
  const Job& job = *exchange.job;
  if (exchange.in_slot) return true;
  return job.read ? is_filled(link_, job) : link_.all_done(job.close + 1);
}

bool Arrivals::take_in(Exchange& exchange) {
  const Job& job = *exchange.job;
  size_t length = 0;
  const Result<bool> arrived = link_.messages().finished(*exchange.transfer, &length);
  if (arrived.ok() && !*arrived) return false;
  job.note(arrived.status());
  exchange.transfer.reset();
  if (exchange.in_slot) {
    if (arrived.ok() && length != exchange.buffer.size())
      job.note(other_calls(exchange.leader, failure(Code::internal, "a message of {} bytes instead of {}",
                                                    length, exchange.buffer.size())));
    return true;
  }
  if (!job.read) {
    if (arrived.ok()) job.note(other_calls(exchange.leader, unpack(job, exchange.buffer.first(length))));
    return true;
  }
  const auto reply = reply_to(job, exchange.buffer, arrived.ok() ? length : 0);
  job.note(other_calls(exchange.leader, reply.status()));
  const std::span<const std::byte> bytes = reply.ok() ? *reply : std::span<const std::byte>();
  exchange.transfer =
      link_.messages().send(bytes, bytes.size(), exchange.leader, ChannelMessages::Tag::reply);
  return true;
}

// Whether the data were taken in, or the reply was sent.
bool Arrivals::is_over(Exchange& exchange) {
  if (!exchange.transfer) return true;
  if (exchange.transfer->receiving) return false;
  const Result<bool> sent = link_.messages().finished(*exchange.transfer);
  if (sent.ok() && !*sent) return false;
  exchange.job->note(sent.status());
  return true;
}

// The messages of earlier jobs are over.
bool Arrivals::awaits_messages(const Job& job) const {
  return !exchanges_.empty() && exchanges_.front().job == &job;
}

Status Arrivals::unpack(const Job& job, std::span<const std::byte> message) {
  const observe::Timer timer(link_.counters().time_exchange_ns, observe::Activity::copy);
  SCORPIO_ASSIGN(const MessageParts parts, parts_of(message, link_.bitmap_bytes()));
  Slot slot = link_.slot(link_.my_owner(), job.slot);
  Status status;
  const std::byte* from = parts.bytes.data();
  uint64_t left = parts.bytes.size();
  for_each_run(parts, link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    if (end > job.unit.bytes.size() || end - begin > left) {
      status = failure(Code::internal, "a staging message names bytes {} to {} of a unit of {}", begin, end,
                       job.unit.bytes.size());
      return;
    }
    move_run(slot.bytes + begin, from, end - begin);
    if (!job.exact) slot.bitmap.set_alone(begin, end);
    from += end - begin;
    left -= end - begin;
  });
  link_.counters().message_copies += parts.bytes.size() - left;
  return status;
}

// Who asked knows what the bytes are. One run is sent from the slot, whose use is not over before.
Result<std::span<const std::byte>> Arrivals::reply_to(const Job& job, std::span<std::byte> buffer,
                                                      size_t length) {
  SCORPIO_ASSIGN(const MessageParts parts, parts_of(buffer.first(length), link_.bitmap_bytes()));
  const std::byte* image = link_.slot(link_.my_owner(), job.slot).bytes;
  const std::span<std::byte> reply = buffer.subspan(length);
  std::byte* to = reply.data();
  ByteRange first;
  size_t runs = 0;
  for_each_run(parts, link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    if (++runs == 1) {
      first = {begin, end};
      return;
    }
    if (runs == 2) to = append(to, image, first);
    to = append(to, image, {begin, end});
  });
  if (runs == 1) return std::span<const std::byte>(image + first.begin, first.size());
  const std::span<const std::byte> bytes = reply.first(static_cast<size_t>(to - reply.data()));
  link_.counters().message_copies += bytes.size();
  return bytes;
}

}  // namespace scorpio::exchange
