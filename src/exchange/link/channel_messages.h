// The messages of a channel between nodes, by their kind, and how many of each were sent and received, so
// that none is left over after a failure. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/result.h"
#include "comm/messages.h"
#include "exchange/link/channel_context.h"

namespace scorpio::exchange {

class ChannelMessages {
 public:
  enum class Tag { data = 0, request = 1, reply = 2, round = 3 };

  // `context` outlives this object. No message is longer than `longest` bytes, but those of rounds.
  ChannelMessages(const ChannelContext& context, int channel, size_t longest)
      : context_(context), channel_(channel), longest_(longest) {}

  // The tag of Tag::data; those of the others follow.
  static int first_tag(int channel) { return channel * k_tags; }
  int tag(Tag tag) const { return first_tag(channel_) + static_cast<int>(tag); }
  // From now on messages other than those of placement rounds are sent and received by `carrier`, which
  // outlives this.
  void carry_by(comm::Messages& carrier) { carrier_ = &carrier; }

  // A message in transit.
  struct Transfer {
    comm::Transfer handle;
    int peer = 0;
    Tag tag = Tag::data;
    bool receiving = false;
    size_t bytes = 0;  // of a message that is sent
  };
  // `data_bytes` of the message are elements.
  Transfer send(std::span<const std::byte> message, size_t data_bytes, int rank, Tag tag);
  Transfer receive(std::span<std::byte> buffer, int rank, Tag tag);
  // False: not complete yet. `length`, if not null, receives the length of the message.
  Result<bool> finished(Transfer& transfer, size_t* length = nullptr);
  // After a failure: cancels a receive that is no longer needed; waits for a send that drain() has received.
  void cancel_receive(std::optional<Transfer>& transfer);
  void complete_send(std::optional<Transfer>& transfer);
  // Receives all messages that were sent and not received, so that no later receive matches them; not those
  // of carry_by(). Collective, after all ranks have stopped sending in this channel and have cancelled their
  // receives.
  Status drain();

 private:
  static constexpr int k_tags = 4;
  using Counts = std::map<std::pair<int, Tag>, int64_t>;  // by rank and kind

  comm::Messages& carrier(Tag tag) const {
    return carrier_ == nullptr || tag == Tag::round ? *context_.messages : *carrier_;
  }

  const ChannelContext& context_;
  int channel_;
  size_t longest_;
  comm::Messages* carrier_ = nullptr;
  Counts sent_, received_;
};

}  // namespace scorpio::exchange
