#include "exchange/courier.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/message.h"

namespace scorpio::exchange {

Courier::Courier(Link& link) : link_(link) {}

void Courier::push(Job job) { jobs_.push_back(std::move(job)); }

bool Courier::finished_before(uint64_t close) const {
  return (jobs_.empty() || jobs_.front().close >= close) &&
         (unreleased_.empty() || unreleased_.front().close >= close) &&
         (!transfer_ || transfer_close_ >= close);
}

bool Courier::concerns_us(const Job& job) const {
  return !link_.owner_is_here(job.unit.owner) &&
         std::binary_search(job.nodes.begin(), job.nodes.end(), link_.my_node());
}

bool Courier::progress() {
  if (release()) return true;
  if (transfer_ && stage_ == Stage::none && finish_sending()) return true;
  if (jobs_.empty()) return false;
  const Job& job = jobs_.front();
  if (concerns_us(job) && !advance(job)) return false;
  if (job.read) link_.node_line().delivered.store(job.close + 1);
  unreleased_.push_back(job);
  jobs_.pop_front();
  link_.ring_all();
  return true;
}

bool Courier::advance(const Job& job) { return job.read ? fetch(job) : send_data(job); }

// Returns true when the message buffer is free again.
bool Courier::finish_sending() {
  if (!transfer_) return true;
  const Result<bool> finished = link_.finished(*transfer_);
  if (finished.ok() && !*finished) return false;
  transfer_.reset();
  transfer_outlet_->note(finished.status());
  return true;
}

bool Courier::send_data(const Job& job) {
  if (!link_.all_done(job.close + 1)) {
    link_.await(job.close + 1);
    return false;
  }
  link_.await(0);
  if (!finish_sending()) return false;
  std::byte* buffer = link_.leader_message();
  Slot slot = link_.out_slot(job.out_slot);
  const size_t head = pack_runs(slot.bitmap, link_.bitmap_bytes(), buffer);
  const size_t length = append_bytes(buffer, head, link_.bitmap_bytes(), slot.bytes);
  slot.bitmap.clear();
  transfer_ =
      link_.send({buffer, length}, length - head, link_.rank_of_owner(job.unit.owner), Link::Tag::data);
  transfer_close_ = job.close;
  transfer_outlet_ = job.outlet;
  return true;
}

bool Courier::fetch(const Job& job) {
  std::byte* buffer = link_.leader_message();
  const int owner = link_.rank_of_owner(job.unit.owner);
  if (stage_ == Stage::none) {
    if (!link_.all_wanted(job.close + 1)) {
      link_.await(job.close + 1);
      return false;
    }
    link_.await(0);
    if (!finish_sending()) return false;
    const size_t length = pack_runs(link_.out_slot(job.out_slot).bitmap, link_.bitmap_bytes(), buffer);
    transfer_ = link_.send({buffer, length}, 0, owner, Link::Tag::request);
    transfer_outlet_ = job.outlet;
    stage_ = Stage::requested;
  }
  if (stage_ == Stage::requested) {
    if (!finish_sending()) return false;
    transfer_ = link_.receive(buffer, owner, Link::Tag::reply);
    stage_ = Stage::receiving;
  }
  size_t length = 0;
  const Result<bool> arrived = link_.finished(*transfer_, &length);
  if (arrived.ok() && !*arrived) return false;
  job.outlet->note(arrived.status());
  transfer_.reset();
  stage_ = Stage::none;
  if (arrived.ok()) unpack_reply(job, length);
  return true;
}

// Copies the requested bytes of the reply, in their order, to the outgoing slot.
void Courier::unpack_reply(const Job& job, size_t length) {
  const std::byte* message = link_.leader_message();
  const Slot slot = link_.out_slot(job.out_slot);
  size_t wanted = 0;
  slot.bitmap.for_each([&](uint64_t begin, uint64_t end) {
    if (end - begin <= length - std::min(length, wanted))
      std::memcpy(slot.bytes + begin, message + wanted, end - begin);
    wanted += end - begin;
  });
  if (wanted != length)
    job.outlet->note(
        failure(Code::internal, "another node sent {} bytes of {} that were asked for", length, wanted));
}

// Frees outgoing slots in order: for a write when it is packed, for a read when all ranks of the node have
// copied its elements.
bool Courier::release() {
  if (unreleased_.empty()) return false;
  const Job& job = unreleased_.front();
  if (job.read && concerns_us(job)) {
    if (!link_.all_done(job.close + 1)) return false;
    link_.out_slot(job.out_slot).bitmap.clear();
  }
  link_.node_line().released.store(job.close + 1);
  unreleased_.pop_front();
  link_.ring_all();
  return true;
}

}  // namespace scorpio::exchange
