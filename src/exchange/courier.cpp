#include "exchange/courier.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "exchange/message.h"

namespace scorpio::exchange {

using plan::Activation;

Courier::Courier(Link& link) : link_(link) {}

Courier::~Courier() {
  if (!request_) return;
  // A message that comes later must not find the buffer.
  if (stage_ == Stage::receiving) MPI_Cancel(&*request_);
  MPI_Request_free(&*request_);
}

void Courier::push(const Activation& activation) { jobs_.push_back(activation); }

Status Courier::take_status() { return std::exchange(status_, Status()); }

bool Courier::finished_before(uint64_t close) const {
  return (jobs_.empty() || jobs_.front().close >= close) &&
         (unreleased_.empty() || unreleased_.front().close >= close) &&
         (!request_ || request_close_ >= close);
}

bool Courier::concerns_us(const Activation& job) const {
  return !link_.owner_is_here(job.region.owner) &&
         std::binary_search(job.nodes.begin(), job.nodes.end(), link_.my_node());
}

bool Courier::progress() {
  if (release()) return true;
  if (request_ && stage_ == Stage::none && finish_request()) return true;
  if (jobs_.empty()) return false;
  const Activation& job = jobs_.front();
  if (concerns_us(job) && !advance(job)) return false;
  if (job.read) link_.node_line().delivered.store(job.close + 1, std::memory_order_release);
  unreleased_.push_back(job);
  jobs_.pop_front();
  link_.ring_all();
  return true;
}

bool Courier::advance(const Activation& job) { return job.read ? fetch(job) : send_data(job); }

// True when the message buffer is free again.
bool Courier::finish_request() {
  if (!request_) return true;
  int finished = 0;
  const Status tested = comm::mpi_status(MPI_Test(&*request_, &finished, MPI_STATUS_IGNORE), "MPI_Test");
  if (tested.ok() && finished == 0) return false;
  request_.reset();
  status_ = first_failure(std::move(status_), tested);
  return true;
}

bool Courier::send_data(const Activation& job) {
  if (!link_.all_done(job.close + 1)) {
    link_.await(job.close + 1);
    return false;
  }
  link_.await(0);
  if (!finish_request()) return false;
  std::byte* buffer = link_.leader_message();
  Slot slot = link_.out_slot(job.out_slot);
  const size_t head = pack_runs(slot.bitmap, link_.bitmap_bytes(), buffer);
  const size_t length = append_bytes(buffer, head, link_.bitmap_bytes(), slot.bytes);
  slot.bitmap.clear();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(buffer, static_cast<int>(length), MPI_BYTE, link_.rank_of_owner(job.region.owner),
            link_.tag(Link::Tag::data), link_.fabric().comm->raw(), &request);
  request_ = request;
  request_close_ = job.close;
  ++link_.counters().messages;
  link_.counters().message_bytes += length;
  return true;
}

bool Courier::fetch(const Activation& job) {
  std::byte* buffer = link_.leader_message();
  MPI_Comm comm = link_.fabric().comm->raw();
  const int owner = link_.rank_of_owner(job.region.owner);
  if (stage_ == Stage::none) {
    if (!link_.all_wanted(job.close + 1)) {
      link_.await(job.close + 1);
      return false;
    }
    link_.await(0);
    if (!finish_request()) return false;
    const size_t length = pack_runs(link_.out_slot(job.out_slot).bitmap, link_.bitmap_bytes(), buffer);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(buffer, static_cast<int>(length), MPI_BYTE, owner, link_.tag(Link::Tag::request), comm,
              &request);
    request_ = request;
    ++link_.counters().messages;
    link_.counters().message_bytes += length;
    stage_ = Stage::requested;
  }
  if (stage_ == Stage::requested) {
    if (!finish_request()) return false;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(buffer, static_cast<int>(link_.message_bytes()), MPI_BYTE, owner, link_.tag(Link::Tag::reply),
              comm, &request);
    request_ = request;
    stage_ = Stage::receiving;
  }
  int arrived = 0;
  MPI_Status mpi_status;
  MPI_Test(&*request_, &arrived, &mpi_status);
  if (arrived == 0) return false;
  request_.reset();
  stage_ = Stage::none;
  int length = 0;
  MPI_Get_count(&mpi_status, MPI_BYTE, &length);
  unpack_reply(job, length);
  return true;
}

void Courier::unpack_reply(const Activation& job, int length) {
  const std::byte* message = link_.leader_message();
  const Slot slot = link_.out_slot(job.out_slot);
  const auto head = head_length({message, static_cast<size_t>(length)}, link_.bitmap_bytes());
  if (!head.ok()) {
    status_ = first_failure(std::move(status_), head.status());
    return;
  }
  size_t at = *head;
  for_each_run(message, link_.bitmap_bytes(), [&](uint64_t begin, uint64_t end) {
    const size_t n = std::min<size_t>(end - begin, static_cast<size_t>(length) - at);
    std::memcpy(slot.bytes + begin, message + at, n);
    at += n;
  });
}

// Outgoing slots become free in order: of writes once packed, of reads once all ranks of the node have copied
// out.
bool Courier::release() {
  if (unreleased_.empty()) return false;
  const Activation& job = unreleased_.front();
  if (job.read && concerns_us(job)) {
    if (!link_.all_done(job.close + 1)) return false;
    link_.out_slot(job.out_slot).bitmap.clear();
  }
  link_.node_line().released.store(job.close + 1, std::memory_order_release);
  unreleased_.pop_front();
  link_.ring_all();
  return true;
}

}  // namespace scorpio::exchange
