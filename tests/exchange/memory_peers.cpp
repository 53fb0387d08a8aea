#include "exchange/memory_peers.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/result.h"
#include "exchange/transfer_peers.h"

namespace scorpio::test {

namespace {

class MemoryPeers final : public comm::PeerExchange {
 public:
  // `partners`: the ranks with which each operation exchanges something, among them the peers. Both ascend.
  MemoryPeers(Post& post, int rank, std::vector<int> partners, std::vector<int> peers, int tag)
      : messages_(post, rank), partners_(std::move(partners)), peers_(std::move(peers)), tag_(tag) {
    for (const int peer : peers_)
      places_.push_back(static_cast<size_t>(std::ranges::lower_bound(partners_, peer) - partners_.begin()));
  }

  const std::vector<int>& peers() const override { return peers_; }

  Status begin_words(std::span<const uint64_t> own, size_t words) override {
    SCORPIO_TRY(require_idle());
    words_ = words;
    pieces_.assign(partners_.size(), {});
    out_.assign(partners_.size(), std::vector<std::byte>(words * sizeof(uint64_t)));
    for (size_t p = 0; p < peers_.size(); ++p)
      std::memcpy(out_[places_[p]].data(), own.data() + p * words, words * sizeof(uint64_t));
    start(std::vector<size_t>(partners_.size(), words * sizeof(uint64_t)));
    return {};
  }

  std::span<const uint64_t> words() const override { return told_; }

  Status begin_pieces(const std::vector<Piece>& sends, const std::vector<Piece>& receives) override {
    SCORPIO_TRY(require_idle());
    words_ = 0;
    pieces_.assign(partners_.size(), {});
    out_.assign(partners_.size(), {});
    std::vector<size_t> lengths(partners_.size(), 0);
    for (const Piece& piece : sends) {
      std::vector<std::byte>& bytes = out_[places_[piece.peer]];
      bytes.insert(bytes.end(), piece.bytes.begin(), piece.bytes.end());
    }
    for (const Piece& piece : receives) {
      pieces_[places_[piece.peer]].push_back(piece.bytes);
      lengths[places_[piece.peer]] += piece.bytes.size();
    }
    start(lengths);
    return {};
  }

  Result<bool> finished() override {
    for (size_t i = 0; i < under_way_.size(); ++i) {
      UnderWay& one = under_way_[i];
      SCORPIO_TRY(messages_.test(one.send).status());
      if (!one.receive.under_way()) continue;
      size_t length = 0;
      SCORPIO_ASSIGN(const bool received, messages_.test(one.receive, &length));
      if (received && length + 1 != in_[i].size())
        return failure(Code::internal, "rank {} sent {} bytes to rank {}, which expects {}", partners_[i],
                       length, messages_.rank(), in_[i].size() - 1);
    }
    const bool over = std::ranges::none_of(
        under_way_, [](const UnderWay& one) { return one.send.under_way() || one.receive.under_way(); });
    if (over && !under_way_.empty()) end();
    return over;
  }

  Status free() override { return {}; }

 private:
  struct UnderWay {
    comm::Transfer send, receive;
  };

  Status require_idle() const {
    if (under_way_.empty()) return {};
    return failure(Code::internal, "an operation begins before the one before it is over");
  }

  // One byte more than is expected, so that a longer message is seen.
  void start(const std::vector<size_t>& lengths) {
    in_.clear();
    for (const size_t length : lengths) in_.emplace_back(length + 1);
    for (size_t i = 0; i < partners_.size(); ++i)
      under_way_.push_back(
          {messages_.send(out_[i], partners_[i], tag_), messages_.receive(in_[i], partners_[i], tag_)});
  }

  void end() {
    under_way_.clear();
    for (size_t i = 0; i < partners_.size(); ++i) {
      const std::byte* from = in_[i].data();
      for (const std::span<std::byte> piece : pieces_[i]) {
        if (!piece.empty()) std::memcpy(piece.data(), from, piece.size());
        from += piece.size();
      }
    }
    if (words_ == 0) return;
    told_.resize(peers_.size() * words_);
    for (size_t p = 0; p < peers_.size(); ++p)
      std::memcpy(told_.data() + p * words_, in_[places_[p]].data(), words_ * sizeof(uint64_t));
    words_ = 0;
  }

  MemoryMessages messages_;
  std::vector<int> partners_, peers_;
  std::vector<size_t> places_;  // [peers] among the partners
  int tag_;
  size_t words_ = 0;  // of the operation under way; 0: it moves pieces, or there is none
  std::vector<std::vector<std::byte>> out_, in_;           // [partners]
  std::vector<std::vector<std::span<std::byte>>> pieces_;  // [partners] where the received bytes go
  std::vector<UnderWay> under_way_;                        // [partners]
  std::vector<uint64_t> told_;                             // [peers][words]
};

}  // namespace

std::vector<std::unique_ptr<comm::PeerExchange>> memory_peers(Post& post, int rank,
                                                              const comm::NodeMap& nodes,
                                                              const std::vector<int>& io_ranks,
                                                              exchange::Transfer way, int number) {
  const std::map<int, std::set<int>> peers = transfer_peers(nodes, io_ranks);
  std::vector<std::unique_ptr<comm::PeerExchange>> made;
  if (!peers.contains(rank)) return made;
  const std::vector<int> mine(peers.at(rank).begin(), peers.at(rank).end());
  std::vector<int> partners = mine;
  if (way == exchange::Transfer::all_to_all) {
    partners.clear();
    for (const auto& [other, of_other] : peers) {
      if (other != rank) partners.push_back(other);
    }
  }
  for (int i = 0; i < number; ++i)
    made.push_back(std::make_unique<MemoryPeers>(post, rank, partners, mine, i));
  return made;
}

}  // namespace scorpio::test
