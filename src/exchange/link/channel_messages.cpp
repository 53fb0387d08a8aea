#include "exchange/link/channel_messages.h"

#include <algorithm>
#include <vector>

namespace scorpio::exchange {

// The memory of the counts is allocated before a message is in transit, because drain() depends on the
// counts.
ChannelMessages::Transfer ChannelMessages::send(std::span<const std::byte> message, size_t data_bytes,
                                                int rank, Tag tag) {
  int64_t& sent = sent_[{rank, tag}];
  Transfer transfer{carrier(tag).send(message, rank, this->tag(tag)), rank, tag, false, message.size()};
  ++sent;
  ++context_.counters->messages;
  context_.counters->message_bytes += message.size();
  context_.counters->message_data_bytes += data_bytes;
  return transfer;
}

ChannelMessages::Transfer ChannelMessages::receive(std::span<std::byte> buffer, int rank, Tag tag) {
  received_.try_emplace({rank, tag});
  return {carrier(tag).receive(buffer, rank, this->tag(tag)), rank, tag, true, 0};
}

Result<bool> ChannelMessages::finished(Transfer& transfer, size_t* length) {
  const bool records = observe::records();
  const auto began = records ? observe::TraceClock::now() : observe::TraceClock::time_point();
  size_t received = 0;
  if (records && length == nullptr) length = &received;
  Result<bool> finished = carrier(transfer.tag).test(transfer.handle, length);
  if (finished.ok() && !*finished) return finished;
  if (transfer.receiving) ++received_[{transfer.peer, transfer.tag}];
  if (records)
    observe::trace(transfer.receiving ? observe::Activity::receive : observe::Activity::send, began,
                   observe::TraceClock::now(), transfer.receiving ? *length : transfer.bytes);
  return finished;
}

void ChannelMessages::cancel_receive(std::optional<Transfer>& transfer) {
  if (!transfer || !transfer->receiving) return;
  if (carrier(transfer->tag).cancel(transfer->handle)) ++received_[{transfer->peer, transfer->tag}];
  transfer.reset();
}

void ChannelMessages::complete_send(std::optional<Transfer>& transfer) {
  if (!transfer || transfer->receiving) return;
  carrier(transfer->tag).wait(transfer->handle);
  transfer.reset();
}

Status ChannelMessages::drain() {
  comm::Messages& messages = *context_.messages;
  std::vector<std::vector<int64_t>> sent(static_cast<size_t>(messages.size()));
  for (const auto& [key, count] : sent_) {
    if (&carrier(key.second) != &messages) continue;
    auto& part = sent[static_cast<size_t>(key.first)];
    part.resize(k_tags);
    part[static_cast<size_t>(key.second)] = count;
  }
  SCORPIO_ASSIGN(const auto arriving, messages.all_to_all(sent));
  std::vector<std::byte> unwanted(
      std::max(longest_, context_.io_ranks->size() * sizeof(uint64_t)));  // of a round
  for (int rank = 0; rank < messages.size(); ++rank) {
    const std::vector<int64_t>& counts = arriving[static_cast<size_t>(rank)];
    for (size_t kind = 0; kind < counts.size(); ++kind) {
      const Tag what = static_cast<Tag>(kind);
      for (int64_t left = counts[kind] - received_[{rank, what}]; left > 0; --left) {
        SCORPIO_TRY(messages.receive_now(unwanted, rank, tag(what)));
        ++received_[{rank, what}];
      }
    }
  }
  return {};
}

}  // namespace scorpio::exchange
