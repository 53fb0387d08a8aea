#include "comm/peer_exchange.h"

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace scorpio::comm {

namespace {

// The pieces of each peer as one type of MPI, with their addresses: they are sent from where they are. The
// types exist until the operation is over, because not every MPI keeps those that are freed before.
class PieceTypes {
 public:
  explicit PieceTypes(size_t places) : counts_(places), types_(places, MPI_BYTE), starts_(places) {}
  ~PieceTypes() { clear(); }
  PieceTypes(const PieceTypes&) = delete;
  PieceTypes& operator=(const PieceTypes&) = delete;

  // `place_of`: [peers] the position in the operation.
  Status set(const std::vector<PeerExchange::Piece>& pieces, const std::vector<size_t>& place_of) {
    clear();
    std::vector<std::vector<int>> lengths(types_.size());
    std::vector<std::vector<MPI_Aint>> addresses(types_.size());
    for (const PeerExchange::Piece& piece : pieces) {
      if (piece.bytes.empty()) continue;
      const size_t place = place_of[piece.peer];
      MPI_Aint address = 0;
      MPI_Get_address(piece.bytes.data(), &address);
      lengths[place].push_back(static_cast<int>(piece.bytes.size()));
      addresses[place].push_back(address);
    }
    for (size_t place = 0; place < types_.size(); ++place) {
      if (lengths[place].empty()) continue;
      MPI_Datatype type = MPI_DATATYPE_NULL;
      SCORPIO_TRY(
          mpi_status(MPI_Type_create_hindexed(static_cast<int>(lengths[place].size()), lengths[place].data(),
                                              addresses[place].data(), MPI_BYTE, &type),
                     "MPI_Type_create_hindexed"));
      types_[place] = type;
      counts_[place] = 1;
      SCORPIO_TRY(mpi_status(MPI_Type_commit(&types_[place]), "MPI_Type_commit"));
    }
    return {};
  }
  void clear() {
    for (size_t place = 0; place < types_.size(); ++place) {
      if (counts_[place] > 0) MPI_Type_free(&types_[place]);
      types_[place] = MPI_BYTE;
      counts_[place] = 0;
    }
  }

  const int* counts() const { return counts_.data(); }
  const MPI_Datatype* types() const { return types_.data(); }
  const int* starts() const { return starts_.data(); }

 private:
  std::vector<int> counts_;
  std::vector<MPI_Datatype> types_;
  std::vector<int> starts_;  // 0: the types have addresses
};

class ExchangeByMpi final : public PeerExchange {
 public:
  // `places`: the number of ranks in the operations; `place_of`: [peers].
  ExchangeByMpi(MPI_Comm comm, PeerCollective way, size_t places, std::vector<int> peers,
                std::vector<size_t> place_of)
      : comm_(comm),
        way_(way),
        peers_(std::move(peers)),
        place_of_(std::move(place_of)),
        places_(places),
        sends_(places),
        receives_(places),
        starts_(places) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }

  const std::vector<int>& peers() const override { return peers_; }

  Status begin_words(std::span<const uint64_t> own, size_t words) override {
    own_.assign(places_ * words, 0);
    theirs_.assign(places_ * words, 0);
    const auto width = static_cast<std::ptrdiff_t>(words);
    for (size_t p = 0; p < peers_.size(); ++p)
      std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(p) * width, width,
                  own_.begin() + static_cast<std::ptrdiff_t>(place_of_[p]) * width);
    words_ = words;
    const int count = static_cast<int>(words);
    if (way_ == PeerCollective::neighbors)
      return mpi_status(MPI_Ineighbor_alltoall(own_.data(), count, MPI_UINT64_T, theirs_.data(), count,
                                               MPI_UINT64_T, comm_, &request_),
                        "MPI_Ineighbor_alltoall");
    return mpi_status(MPI_Ialltoall(own_.data(), count, MPI_UINT64_T, theirs_.data(), count, MPI_UINT64_T,
                                    comm_, &request_),
                      "MPI_Ialltoall");
  }

  std::span<const uint64_t> words() const override { return told_; }

  Status begin_pieces(const std::vector<Piece>& sends, const std::vector<Piece>& receives) override {
    words_ = 0;
    SCORPIO_TRY(sends_.set(sends, place_of_));
    SCORPIO_TRY(receives_.set(receives, place_of_));
    if (way_ == PeerCollective::neighbors)
      return mpi_status(
          MPI_Ineighbor_alltoallw(MPI_BOTTOM, sends_.counts(), starts_.data(), sends_.types(), MPI_BOTTOM,
                                  receives_.counts(), starts_.data(), receives_.types(), comm_, &request_),
          "MPI_Ineighbor_alltoallw");
    return mpi_status(
        MPI_Ialltoallw(MPI_BOTTOM, sends_.counts(), sends_.starts(), sends_.types(), MPI_BOTTOM,
                       receives_.counts(), receives_.starts(), receives_.types(), comm_, &request_),
        "MPI_Ialltoallw");
  }

  Result<bool> finished() override {
    int done = 0;
    SCORPIO_TRY(mpi_status(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test"));
    if (done == 0) return false;
    sends_.clear();
    receives_.clear();
    if (words_ > 0) tell();
    return true;
  }

  Status free() override {
    if (comm_ == MPI_COMM_NULL) return {};
    return mpi_status(MPI_Comm_free(&comm_), "MPI_Comm_free");
  }

 private:
  void tell() {
    told_.resize(peers_.size() * words_);
    const auto width = static_cast<std::ptrdiff_t>(words_);
    for (size_t p = 0; p < peers_.size(); ++p)
      std::copy_n(theirs_.begin() + static_cast<std::ptrdiff_t>(place_of_[p]) * width, width,
                  told_.begin() + static_cast<std::ptrdiff_t>(p) * width);
    words_ = 0;
  }

  MPI_Comm comm_;
  PeerCollective way_;
  std::vector<int> peers_;
  std::vector<size_t> place_of_;  // [peers]
  size_t places_;
  PieceTypes sends_, receives_;
  std::vector<MPI_Aint> starts_;        // 0
  std::vector<uint64_t> own_, theirs_;  // [places][words]
  std::vector<uint64_t> told_;          // [peers][words]
  size_t words_ = 0;                    // of the operation under way; 0: it moves pieces, or there is none
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

Result<std::unique_ptr<PeerExchanges>> PeerExchanges::create(const Communicator& comm, PeerCollective way,
                                                             const std::vector<int>& ranks,
                                                             const std::vector<int>& peers, int number) {
  auto made = std::make_unique<PeerExchanges>();
  const bool takes_part = std::ranges::binary_search(ranks, comm.rank());
  SCORPIO_ASSIGN(Communicator part, comm.split(takes_part ? 0 : 1, comm.rank()));
  const auto place_among = [&](int rank) {
    return static_cast<size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
  };
  std::vector<int> neighbors;
  std::vector<size_t> places;
  for (const int peer : peers) {
    neighbors.push_back(static_cast<int>(place_among(peer)));
    places.push_back(way == PeerCollective::neighbors ? places.size() : place_among(peer));
  }
  const int degree = static_cast<int>(neighbors.size());
  for (int i = 0; takes_part && i < number; ++i) {
    MPI_Comm own = MPI_COMM_NULL;
    if (way == PeerCollective::neighbors) {
      SCORPIO_TRY(mpi_status(
          MPI_Dist_graph_create_adjacent(part.raw(), degree, neighbors.data(), MPI_UNWEIGHTED, degree,
                                         neighbors.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &own),
          "MPI_Dist_graph_create_adjacent"));
    } else {
      SCORPIO_TRY(mpi_status(MPI_Comm_dup(part.raw(), &own), "MPI_Comm_dup"));
    }
    const size_t all = way == PeerCollective::neighbors ? peers.size() : ranks.size();
    made->all_.push_back(std::make_unique<ExchangeByMpi>(own, way, all, peers, places));
  }
  SCORPIO_TRY(part.free());
  return made;
}

PeerExchange* PeerExchanges::at(int number) const {
  return all_.empty() ? nullptr : all_[static_cast<size_t>(number)].get();
}

Status PeerExchanges::free() {
  Status status;
  for (const auto& one : all_) status = first_failure(status, one->free());
  return status;
}

}  // namespace scorpio::comm
