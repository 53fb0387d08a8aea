#include "exchange/owner_queue.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "exchange/message.h"

namespace scorpio::exchange {

using plan::ByteRange;

OwnerQueue::OwnerQueue(Link& link) : link_(link) {}

void OwnerQueue::push(Job job) { jobs_.push_back(std::move(job)); }

bool OwnerQueue::slot_free(const plan::Activation& activation) const {
  return link_.slot_counter(link_.my_owner(), activation.slot).reached(SlotCounter::free_for(activation.use));
}

bool OwnerQueue::progress() {
  const bool prepared = prepare();
  const size_t ready = batch();
  if (ready == 0) return prepared;
  if (!jobs_.front().read) write(ready);
  for (size_t i = 0; i < ready; ++i) retire();
  return true;
}

// Brings the next job as far as all its bytes are in its slot (or, of a read, taken out of it).
bool OwnerQueue::prepare() {
  if (prepared_ == jobs_.size()) return false;
  const Job& job = jobs_[prepared_];
  if (!link_.all_done(job.close + 1) && !job.read) {
    link_.await(job.close + 1);
    return false;
  }
  if (next_node_ < job.nodes.size()) return advance_messages(job);
  if (!link_.all_done(job.close + 1)) {
    link_.await(job.close + 1);
    return false;
  }
  link_.await(0);
  next_node_ = 0;
  ++prepared_;
  return true;
}

// Number of jobs at the front that are finished now, with one write where they are neighbours. All that was
// closed before a demand is, or soon will be, in its slots: whoever waits for the same slot has passed it.
size_t OwnerQueue::batch() const {
  if (prepared_ == 0) return 0;
  const Job& first = jobs_.front();
  if (first.read || !link_.fabric().gather_writes) return 1;
  if (first.close >= demanded_) return 0;
  size_t writes = 0;
  while (writes < jobs_.size() && !jobs_[writes].read) ++writes;
  const bool more_to_come = prepared_ < writes && !link_.several_nodes();
  return more_to_come ? 0 : std::min(prepared_, writes);
}

void OwnerQueue::retire() {
  const int slot = jobs_.front().slot;
  const uint64_t end = SlotCounter::end_of(jobs_.front().use);
  jobs_.pop_front();
  --prepared_;
  link_.advance(slot, end);
}

// ---- messages of other nodes ----

bool OwnerQueue::advance_messages(const Job& job) {
  const int node = job.nodes[next_node_];
  if (node == link_.my_node()) {
    ++next_node_;
    return true;
  }
  const bool finished = job.read ? answer_request(job, node) : receive_data(job, node);
  if (finished) ++next_node_;
  return finished;
}

bool OwnerQueue::receive_data(const Job& job, int node) {
  std::byte* buffer = link_.owner_message();
  if (!transfer_) transfer_ = link_.receive(buffer, link_.fabric().nodes->leader(node), Link::Tag::data);
  size_t length = 0;
  const Result<bool> arrived = link_.finished(*transfer_, &length);
  if (arrived.ok() && !*arrived) return false;
  transfer_.reset();
  job.outlet->note(arrived.ok() ? unpack(job, {buffer, length}) : arrived.status());
  return true;
}

Status OwnerQueue::unpack(const Job& job, std::span<const std::byte> message) {
  SCORPIO_ASSIGN(size_t at, head_length(message, link_.bitmap_bytes()));
  Slot slot = link_.slot(link_.my_owner(), job.slot);
  Status status;
  for_each_run(message.data(), link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    if (end > link_.region_bytes() || end - begin > message.size() - at) {
      status = failure(Code::internal, "a staging message names bytes {} to {} of a region of {}", begin, end,
                       link_.region_bytes());
      return;
    }
    std::memcpy(slot.bytes + begin, message.data() + at, end - begin);
    if (!job.exact) slot.bitmap.set(begin, end);
    at += end - begin;
  });
  return status;
}

bool OwnerQueue::answer_request(const Job& job, int node) {
  std::byte* buffer = link_.owner_message();
  const int leader = link_.fabric().nodes->leader(node);
  const SlotCounter& counter = link_.slot_counter(link_.my_owner(), job.slot);
  if (!counter.reached(SlotCounter::filled_in(job.use))) return false;
  if (!transfer_) transfer_ = link_.receive(buffer, leader, Link::Tag::request);
  const Result<bool> finished = link_.finished(*transfer_);
  if (finished.ok() && !*finished) return false;
  job.outlet->note(finished.status());
  const bool answered = !transfer_->receiving;
  transfer_.reset();
  if (answered) return true;
  const Result<size_t> head = head_length({buffer, link_.message_bytes()}, link_.bitmap_bytes());
  job.outlet->note(head.status());
  const size_t length = head.ok() ? append_bytes(buffer, *head, link_.bitmap_bytes(),
                                                 link_.slot(link_.my_owner(), job.slot).bytes)
                                  : 0;
  transfer_ = link_.send(buffer, length, leader, Link::Tag::reply);
  return false;
}

// ---- the file ----

// The first `jobs` jobs.
void OwnerQueue::write(size_t jobs) {
  writes_.clear();
  for (size_t i = 0; i < jobs; ++i) add_ranges(jobs_[i]);
  if (jobs > 1) sort_writes();
  join_writes();
  ++link_.counters().rounds;
  for (const Write& write : writes_) {
    Outlet& outlet = *write.outlet;
    // A file that is in error already: what is not written is reported, not hidden.
    if (!outlet.status.ok()) continue;
    const observe::Timer timer(link_.counters().time_io_ns);
    outlet.status = outlet.sink->write(write.range.begin, {write.bytes, write.range.end - write.range.begin});
  }
}

void OwnerQueue::add_ranges(const Job& job) {
  if (job.exact) {
    for (const ByteRange& range : job.certain) add_range(job, range);
    return;
  }
  const uint64_t base = job.region.number * link_.region_bytes();
  Slot slot = link_.slot(link_.my_owner(), job.slot);
  for (const ByteRange& range : job.certain) slot.bitmap.set(range.begin - base, range.end - base);
  slot.bitmap.for_each([&](uint64_t begin, uint64_t end) { add_range(job, {base + begin, base + end}); });
  slot.bitmap.clear();
}

void OwnerQueue::add_range(const Job& job, ByteRange range) {
  const uint64_t base = job.region.number * link_.region_bytes();
  const std::byte* bytes = link_.slot(link_.my_owner(), job.slot).bytes + (range.begin - base);
  writes_.push_back({range, bytes, job.outlet});
}

// By place in their files: a region that a variable only begins in is closed after those that it fills. What
// was written twice stays in the order in which it came.
void OwnerQueue::sort_writes() {
  std::vector<Write> sorted = writes_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Write& a, const Write& b) {
    return a.outlet == b.outlet ? a.range.begin < b.range.begin : std::less<>()(a.outlet, b.outlet);
  });
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(), [](const Write& a, const Write& b) {
    return a.outlet == b.outlet && a.range.end > b.range.begin;
  });
  if (twice == sorted.end()) writes_ = std::move(sorted);
}

// Neighbours in one file that are neighbours in memory too are one write.
void OwnerQueue::join_writes() {
  size_t joined = 0;
  for (size_t i = 1; i < writes_.size(); ++i) {
    Write& last = writes_[joined];
    const Write& next = writes_[i];
    const uint64_t length = last.range.end - last.range.begin;
    if (last.outlet == next.outlet && last.range.end == next.range.begin &&
        last.bytes + length == next.bytes) {
      last.range.end = next.range.end;
    } else {
      writes_[++joined] = next;
    }
  }
  if (!writes_.empty())
    writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(joined) + 1, writes_.end());
}

void OwnerQueue::fill(const Job& job, ByteRange range, storage::Source& source) {
  const Slot slot = link_.slot(link_.my_owner(), job.slot);
  const uint64_t base = job.region.number * link_.region_bytes();
  const std::span<std::byte> bytes(slot.bytes + (range.begin - base), range.end - range.begin);
  Status status;
  {
    const observe::Timer timer(link_.counters().time_io_ns);
    status = source.read(range.begin, bytes);
  }
  if (!status.ok()) std::memset(bytes.data(), 0, bytes.size());
  job.outlet->note(status);
  link_.advance(job.slot, SlotCounter::filled_in(job.use));
}

}  // namespace scorpio::exchange
