#include "exchange/between_nodes/leader_transfer.h"

#include <algorithm>
#include <utility>

#include "exchange/images/message.h"

namespace scorpio::exchange {

LeaderTransfer::LeaderTransfer(Link& link) : link_(link) {}

void LeaderTransfer::push(Job job) { work_.push_back({std::move(job), {}, {}}); }

bool LeaderTransfer::concerns_us(const Job& job) const {
  return !link_.owner_is_here(job.unit.owner) &&
         std::binary_search(job.nodes.begin(), job.nodes.end(), link_.my_node());
}

size_t LeaderTransfer::under_way() const {
  const auto end = work_.begin() + static_cast<std::ptrdiff_t>(started_);
  return static_cast<size_t>(
      std::count_if(work_.begin(), end, [](const Work& work) { return work.under_way(); }));
}

bool LeaderTransfer::progress() {
  // Each test of a message that is under way is a pass through all of MPI. Units are delivered and released
  // in order: the first of these messages is tested alone, unless a further unit waits for the end of any.
  const bool all = started_ < work_.size() && under_way() == k_most_under_way;
  bool moved = false;
  for (size_t i = 0; i < started_; ++i) {
    if (finish_send(work_[i])) moved = true;
    if (finish_reply(work_[i])) moved = true;
    if (work_[i].under_way() && !all) break;
  }
  const bool delivered = deliver(), released = release();
  if (delivered || released) link_.ring_all();
  return start() || moved || delivered || released;
}

bool LeaderTransfer::is_ready(const Job& job) {
  const uint64_t closes = job.close + 1;
  const bool ready = job.read ? link_.all_wanted(closes) : link_.all_done(closes);
  link_.await(ready ? 0 : closes);
  return ready;
}

bool LeaderTransfer::start() {
  if (started_ == work_.size()) return false;
  Work& work = work_[started_];
  if (concerns_us(work.job)) {
    if (under_way() == k_most_under_way || !is_ready(work.job)) return false;
    work.job.read ? request(work) : send_data(work);
  }
  ++started_;
  return true;
}

void LeaderTransfer::send_data(Work& work) {
  Slot slot = link_.out_slot(work.job.out_slot);
  const int owner = link_.rank_of_owner(work.job.unit.owner);
  if (work.job.is_one_run_of_a_node()) {  // the I/O rank knows which bytes they are
    const ByteRange& run = work.job.certain.front();
    const auto bytes = static_cast<size_t>(run.size());
    slot.bitmap.clear();
    const std::byte* first = slot.bytes + (run.begin - work.job.unit.bytes.begin);
    work.sending = link_.messages().send({first, bytes}, bytes, owner, ChannelMessages::Tag::data);
    return;
  }
  const Bitmap::Outline outline = slot.bitmap.outline();
  const auto message =
      pack_in_place(slot.bitmap, outline, link_.bitmap_bytes(), slot.bytes, link_.counters().message_copies);
  slot.bitmap.clear();
  work.sending = link_.messages().send(message, outline.bytes, owner, ChannelMessages::Tag::data);
}

// The receive is started first, so that the reply finds it.
void LeaderTransfer::request(Work& work) {
  const Slot slot = link_.out_slot(work.job.out_slot);
  const int owner = link_.rank_of_owner(work.job.unit.owner);
  work.wanted = slot.bitmap.outline();
  std::byte* const message = link_.request_of(work.job.out_slot);
  const size_t length = pack_request(slot.bitmap, work.wanted, link_.bitmap_bytes(), message);
  work.reply =
      link_.messages().receive(room_for_reply(work.wanted, slot.bytes), owner, ChannelMessages::Tag::reply);
  work.sending = link_.messages().send({message, length}, 0, owner, ChannelMessages::Tag::request);
}

bool LeaderTransfer::finish_send(Work& work) {
  if (!work.sending) return false;
  const Result<bool> finished = link_.messages().finished(*work.sending);
  if (finished.ok() && !*finished) return false;
  work.job.note(finished.status());
  work.sending.reset();
  return true;
}

bool LeaderTransfer::finish_reply(Work& work) {
  if (!work.reply) return false;
  size_t length = 0;
  const Result<bool> arrived = link_.messages().finished(*work.reply, &length);
  if (arrived.ok() && !*arrived) return false;
  work.job.note(arrived.status());
  work.reply.reset();
  if (arrived.ok()) unpack(work, length);
  return true;
}

// The bytes that were asked for, in their order.
void LeaderTransfer::unpack(const Work& work, size_t length) {
  if (length != work.wanted.bytes) {
    return work.job.note(failure(Code::internal, "another node sent {} bytes of {} that were asked for",
                                 length, work.wanted.bytes));
  }
  const Slot slot = link_.out_slot(work.job.out_slot);
  unpack_reply(slot.bitmap, work.wanted, slot.bytes, link_.counters().message_copies);
}

// Tells the ranks of the node which of their reads have arrived, in the order of the units.
bool LeaderTransfer::deliver() {
  bool any = false;
  for (; delivered_ < started_ && !work_[delivered_].reply; ++delivered_) {
    const Job& job = work_[delivered_].job;
    if (!job.read) continue;
    link_.node_line().delivered.store(job.close + 1);
    any = true;
  }
  return any;
}

// Frees outgoing slots in order: for a write when it is sent, for a read when all ranks of the node have
// copied its elements.
bool LeaderTransfer::release() {
  if (delivered_ == 0 || work_.front().sending) return false;
  const Job& job = work_.front().job;
  if (job.read && concerns_us(job)) {
    if (!link_.all_done(job.close + 1)) return false;
    link_.out_slot(job.out_slot).bitmap.clear();
  }
  link_.node_line().released.store(job.close + 1);
  work_.pop_front();
  --delivered_;
  --started_;
  return true;
}

void LeaderTransfer::cancel_receives() {
  for (Work& work : work_) link_.messages().cancel_receive(work.reply);
}

void LeaderTransfer::complete_sends() {
  for (Work& work : work_) link_.messages().complete_send(work.sending);
}

}  // namespace scorpio::exchange
