#include "exchange/courier.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/message.h"

namespace scorpio::exchange {

namespace {

// Of one leader, under way at a time in one channel.
constexpr size_t k_most_sends = 4;

}  // namespace

Courier::Courier(Link& link) : link_(link) {}

void Courier::push(Job job) { jobs_.push_back(std::move(job)); }

bool Courier::finished_before(uint64_t close) const {
  return (jobs_.empty() || jobs_.front().close >= close) &&
         (unreleased_.empty() || unreleased_.front().close >= close) &&
         (sends_.empty() || sends_.front().close >= close);
}

bool Courier::concerns_us(const Job& job) const {
  return !link_.owner_is_here(job.unit.owner) &&
         std::binary_search(job.nodes.begin(), job.nodes.end(), link_.my_node());
}

bool Courier::progress() {
  if (release()) return true;
  if (finish_sends()) return true;
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

bool Courier::finish_sends() {
  const size_t before = sends_.size();
  std::erase_if(sends_, [&](Send& send) {
    if (!send.transfer) return true;
    const Result<bool> finished = link_.finished(*send.transfer);
    if (finished.ok() && !*finished) return false;
    send.outlet->note(finished.status());
    return true;
  });
  return sends_.size() < before;
}

void Courier::complete_sends() {
  for (Send& send : sends_) link_.complete_send(send.transfer);
  sends_.clear();
}

bool Courier::buffer_in_use() const {
  return std::ranges::any_of(sends_, [](const Send& send) { return !send.from_slot; });
}

// What is one run needs no buffer: several such messages are under way together.
bool Courier::send_data(const Job& job) {
  if (!link_.all_done(job.close + 1)) {
    link_.await(job.close + 1);
    return false;
  }
  link_.await(0);
  if (sends_.size() == k_most_sends) return false;
  Slot slot = link_.out_slot(job.out_slot);
  const std::optional<ByteRange> run = slot.bitmap.only_run();
  if (!run && buffer_in_use()) return false;
  std::span<const std::byte> message;
  size_t data_bytes = 0;
  if (run) {
    message = message_in_place(*run, slot.bytes);
    data_bytes = run->size();
  } else {
    const std::span<std::byte> buffer = link_.leader_message();
    const size_t head = pack_runs(slot.bitmap, link_.bitmap_bytes(), buffer.data());
    message = buffer.first(append_bytes(buffer.data(), head, link_.bitmap_bytes(), slot.bytes));
    data_bytes = message.size() - head;
    link_.counters().message_copies += data_bytes;
  }
  slot.bitmap.clear();
  Send& send = sends_.emplace_back(Send{{}, job.close, job.outlet, run.has_value()});
  send.transfer = link_.send(message, data_bytes, link_.rank_of_owner(job.unit.owner), Link::Tag::data);
  return true;
}

bool Courier::request(const Job& job) {
  if (!link_.all_wanted(job.close + 1)) {
    link_.await(job.close + 1);
    return false;
  }
  link_.await(0);
  if (sends_.size() == k_most_sends || buffer_in_use()) return false;
  const std::span<std::byte> buffer = link_.leader_message();
  const size_t length = pack_runs(link_.out_slot(job.out_slot).bitmap, link_.bitmap_bytes(), buffer.data());
  Send& send = sends_.emplace_back(Send{{}, job.close, job.outlet, false});
  send.transfer =
      link_.send(buffer.first(length), 0, link_.rank_of_owner(job.unit.owner), Link::Tag::request);
  return true;
}

bool Courier::fetch(const Job& job) {
  if (!requested_ && !request(job)) return false;
  requested_ = true;
  if (!fetching_) {
    if (buffer_in_use()) return false;
    fetching_ = link_.receive(room_for_reply(job), link_.rank_of_owner(job.unit.owner), Link::Tag::reply);
  }
  size_t length = 0;
  const Result<bool> arrived = link_.finished(*fetching_, &length);
  if (arrived.ok() && !*arrived) return false;
  job.outlet->note(arrived.status());
  fetching_.reset();
  requested_ = false;
  if (arrived.ok()) unpack_reply(job, length);
  return true;
}

// A reply of one run is received at its place in the outgoing slot, all others in the message buffer.
std::span<std::byte> Courier::room_for_reply(const Job& job) const {
  const Slot slot = link_.out_slot(job.out_slot);
  const std::optional<ByteRange> run = slot.bitmap.only_run();
  return run ? std::span(slot.bytes + run->begin, run->size()) : link_.leader_message();
}

// The bytes that were asked for, in their order.
void Courier::unpack_reply(const Job& job, size_t length) const {
  const std::span<const std::byte> message = room_for_reply(job);
  const Slot slot = link_.out_slot(job.out_slot);
  const bool in_place = message.data() != link_.leader_message().data();
  size_t wanted = 0;
  slot.bitmap.for_each([&](uint64_t begin, uint64_t end) {
    if (!in_place && end - begin <= length - std::min(length, wanted))
      std::memcpy(slot.bytes + begin, message.data() + wanted, end - begin);
    wanted += end - begin;
  });
  if (!in_place) link_.counters().message_copies += length;
  if (wanted != length)
    job.outlet->note(
        failure(Code::internal, "another node sent {} bytes of {} that were asked for", length, wanted));
}

// Whether a message that is sent from the slot of this job is in transit.
bool Courier::in_use(const Job& job) const {
  return std::ranges::any_of(sends_,
                             [&](const Send& send) { return send.from_slot && send.close == job.close; });
}

// Frees outgoing slots in order: for a write when it is packed or sent, for a read when all ranks of the node
// have copied its elements.
bool Courier::release() {
  if (unreleased_.empty()) return false;
  const Job& job = unreleased_.front();
  if (job.read && concerns_us(job)) {
    if (!link_.all_done(job.close + 1)) return false;
    link_.out_slot(job.out_slot).bitmap.clear();
  }
  if (in_use(job)) return false;
  link_.node_line().released.store(job.close + 1);
  unreleased_.pop_front();
  link_.ring_all();
  return true;
}

}  // namespace scorpio::exchange
