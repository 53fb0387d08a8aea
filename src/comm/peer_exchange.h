// Exchanges among the ranks that send or receive data between nodes, by nonblocking collective operations of
// MPI: all of them begin the same operations in the same order, one at a time. Independent, except where
// stated; one thread. An interface, so that the exchange needs no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "comm/communicator.h"

namespace scorpio::comm {

class PeerExchange {
 public:
  virtual ~PeerExchange() = default;

  // The ranks with which this one may exchange data, ascending.
  virtual const std::vector<int>& peers() const = 0;

  // Begins an operation in which each rank sends `words` words, the same number on all ranks, to each of its
  // peers: `own` [peers][words], which may be changed at once.
  virtual Status begin_words(std::span<const uint64_t> own, size_t words) = 0;
  // What the peers sent in the last such operation, which is over: [peers][words].
  virtual std::span<const uint64_t> words() const = 0;

  // Begins an operation that moves the pieces from this rank and to it. Of one peer they are in the order in
  // which it has them, and both know the length of each. The memory is in use until the operation is over.
  struct Piece {
    size_t peer = 0;  // index in peers()
    std::span<std::byte> bytes;
  };
  virtual Status begin_pieces(const std::vector<Piece>& sends, const std::vector<Piece>& receives) = 0;

  // Whether the operation that was begun last is over. True if there was none.
  virtual Result<bool> finished() = 0;

  // Releases its communicator. Collective, after all operations are over.
  virtual Status free() = 0;

 protected:
  PeerExchange() = default;
  PeerExchange(const PeerExchange&) = default;
  PeerExchange& operator=(const PeerExchange&) = default;
};

// How the operations are carried out: by all ranks that send or receive data together, or by each with the
// ranks alone with which it may exchange data.
enum class PeerCollective { all_to_all, neighbors };

// The exchanges of an I/O system, which have communicators of their own: operations of one of them need not
// be in order with those of another.
class PeerExchanges {
 public:
  explicit PeerExchanges(std::vector<std::unique_ptr<PeerExchange>> all = {}) : all_(std::move(all)) {}
  // Collective over comm. Of `ranks` of comm, the same on all of them and ascending, each takes part, and
  // exchanges data with `peers`, ascending: if it has a peer, the peer has it.
  static Result<std::unique_ptr<PeerExchanges>> create(const Communicator& comm, PeerCollective way,
                                                       const std::vector<int>& ranks,
                                                       const std::vector<int>& peers, int number);
  // Null if this rank takes no part.
  PeerExchange* at(int number) const;
  Status free();  // Collective over the ranks that take part, after all operations are over

 private:
  std::vector<std::unique_ptr<PeerExchange>> all_;
};

}  // namespace scorpio::comm
