// The limit of a job on several nodes: what has to cross between nodes, and the file, and nothing else. One
// process of each node holds all that its ranks contribute to the part of each I/O rank, next to each other,
// and sends it with plain MPI_Isend; I/O ranks write what arrives with pwrite, each byte where it lies in the
// message. In reading the reverse. All receives are posted first. There is no map, no copy within a node, no
// placing of elements, and no metadata, so that no library can be faster with the same MPI and file system.
// Every node has an equal part of the bytes of every I/O rank, as
// with scattered maps; blocks can cross less. A file to be read is made before the clock starts. Collective
// over MPI_COMM_WORLD.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/job_bytes.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "common/world.h"
#include "peers/posix_calls.h"

namespace {

using bench::Arguments;
using bench::Share;

// Of the lengths 64 KiB to 4 MiB the one with which the test bed's hosts were the fastest.
constexpr int64_t k_message_bytes = int64_t{1} << 20;

// Processes that have nothing to hold or to write take part in nothing but the clock.
struct Place {
  bench::World world;
  int nodes = 0;  // as many as I/O ranks, one on each
  int mine = -1;  // the node of this process, if it holds the bytes of one

  explicit Place(int io_ranks) : nodes(std::min(io_ranks, world.ranks)) {
    for (int node = 0; node < nodes; ++node) {
      if (process_of(node) == world.rank) mine = node;
    }
  }
  int process_of(int node) const { return node * world.ranks / nodes; }
};

// A message, or, between a node and its own I/O rank, as many bytes in memory.
struct Piece {
  int peer = 0;
  Share bytes;  // of the file
};

// What a node has of an I/O rank's part of the file, as messages.
std::vector<Piece> pieces_of(int64_t job_bytes, int nodes, int node, int io_rank, int peer) {
  const Share part = bench::share_of(job_bytes, io_rank, nodes);
  const Share held = bench::share_of(part.count, node, nodes);
  std::vector<Piece> pieces;
  for (int64_t at = 0; at < held.count; at += k_message_bytes)
    pieces.push_back({peer, {part.start + held.start + at, std::min(k_message_bytes, held.count - at)}});
  return pieces;
}

// Those of all peers in turn, so that none waits for the end of another.
std::vector<Piece> in_turn(const std::vector<std::vector<Piece>>& of_peers) {
  std::vector<Piece> pieces;
  for (size_t i = 0, before = 0; i == 0 || pieces.size() > before; ++i) {
    before = pieces.size();
    for (const auto& of_peer : of_peers) {
      if (i < of_peer.size()) pieces.push_back(of_peer[i]);
    }
  }
  return pieces;
}

// One after another in touched memory.
class Memory {
 public:
  Memory(const std::vector<Piece>& pieces, std::byte contents) {
    size_t bytes = 0;
    for (const Piece& piece : pieces) {
      places_.push_back(bytes);
      bytes += static_cast<size_t>(piece.bytes.count);
    }
    bytes_.assign(bytes, contents);
  }
  std::byte* of(size_t piece) { return bytes_.data() + places_[piece]; }
  int64_t other_than(std::byte contents) const {
    return static_cast<int64_t>(bytes_.size()) - std::count(bytes_.begin(), bytes_.end(), contents);
  }

 private:
  std::vector<size_t> places_;
  std::vector<std::byte> bytes_;
};

class Job {
 public:
  Job(const Place& place, int64_t bytes) {
    std::vector<std::vector<Piece>> held, served;
    for (int i = 1; place.mine >= 0 && i < place.nodes; ++i) {
      const int other = (place.mine + i) % place.nodes;
      const int peer = place.process_of(other);
      held.push_back(pieces_of(bytes, place.nodes, place.mine, other, peer));
      served.push_back(pieces_of(bytes, place.nodes, other, place.mine, peer));
    }
    held_ = in_turn(held);
    served_ = in_turn(served);
    if (place.mine >= 0)
      own_ = pieces_of(bytes, place.nodes, place.mine, place.mine, place.process_of(place.mine));
  }

  const std::vector<Piece>& held() const { return held_; }      // for I/O ranks of other nodes
  const std::vector<Piece>& served() const { return served_; }  // of other nodes for this I/O rank
  const std::vector<Piece>& own() const { return own_; }

 private:
  std::vector<Piece> held_, served_, own_;
};

std::vector<MPI_Request> receive_all(const std::vector<Piece>& pieces, Memory& memory) {
  std::vector<MPI_Request> requests(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i)
    MPI_Irecv(memory.of(i), static_cast<int>(pieces[i].bytes.count), MPI_BYTE, pieces[i].peer, 0,
              MPI_COMM_WORLD, &requests[i]);
  return requests;
}

void send(const Piece& piece, const std::byte* bytes, MPI_Request& request) {
  MPI_Isend(bytes, static_cast<int>(piece.bytes.count), MPI_BYTE, piece.peer, 0, MPI_COMM_WORLD, &request);
}

void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

// All bytes of this node and I/O rank. What the ranks of a node hold for their own I/O rank is written while
// messages arrive.
class Mover {
 public:
  Mover(const Arguments& arguments, const Job& job, int node)
      : arguments_(arguments),
        job_(job),
        contents_(static_cast<std::byte>(node + 1)),
        held_(job.held(), contents_),
        served_(job.served(), std::byte{0}),
        own_(job.own(), contents_) {}

  void write(int file) {
    std::vector<MPI_Request> receives = receive_all(job_.served(), served_);
    std::vector<MPI_Request> sends(job_.held().size());
    for (size_t i = 0; i < sends.size(); ++i) send(job_.held()[i], held_.of(i), sends[i]);
    size_t own = 0;
    for (size_t left = receives.size(); left > 0 || own < job_.own().size();) {
      int arrived = MPI_UNDEFINED, any = 0;
      if (own < job_.own().size()) {
        MPI_Testany(static_cast<int>(receives.size()), receives.data(), &arrived, &any, MPI_STATUS_IGNORE);
      } else {
        MPI_Waitany(static_cast<int>(receives.size()), receives.data(), &arrived, MPI_STATUS_IGNORE);
      }
      if (arrived != MPI_UNDEFINED) {
        move(file, job_.served(), served_, static_cast<size_t>(arrived));
        --left;
      } else {
        move(file, job_.own(), own_, own++);
      }
    }
    wait_for(sends);
  }

  void read(int file) {
    std::vector<MPI_Request> receives = receive_all(job_.held(), held_);
    std::vector<MPI_Request> sends(job_.served().size());
    for (size_t i = 0; i < sends.size(); ++i) {
      move(file, job_.served(), served_, i);
      send(job_.served()[i], served_.of(i), sends[i]);
    }
    for (size_t i = 0; i < job_.own().size(); ++i) move(file, job_.own(), own_, i);
    wait_for(receives);
    wait_for(sends);
  }

  // Bytes that a node has after a read and that are not its own.
  int64_t wrong() const { return held_.other_than(contents_) + own_.other_than(contents_); }
  void forget() { held_ = Memory(job_.held(), std::byte{0}), own_ = Memory(job_.own(), std::byte{0}); }

 private:
  void move(int file, const std::vector<Piece>& pieces, Memory& memory, size_t i) {
    bench::move_bytes(arguments_, file, memory.of(i), static_cast<size_t>(pieces[i].bytes.count),
                      pieces[i].bytes.start);
  }

  const Arguments& arguments_;
  const Job& job_;
  std::byte contents_;
  Memory held_, served_, own_;
};

void run(const Arguments& arguments) {
  const Place place(arguments.io_ranks);
  const int64_t bytes = bench::bytes_of_job(arguments, place.world.ranks);
  const Job job(place, bytes);
  Mover mover(arguments, job, place.mine);
  Arguments writing = arguments;
  writing.read = false;
  if (arguments.read && place.mine >= 0) {
    const int file = bench::open_file(writing);
    Mover(writing, job, place.mine).write(file);
    bench::close_file(writing, file);
    mover.forget();
  }

  bench::Stopwatch watch;
  if (place.mine >= 0) {
    const int file = bench::open_file(arguments);
    arguments.read ? mover.read(file) : mover.write(file);
    bench::close_file(arguments, file);
  }
  bench::Outcome outcome{.total_s = watch.stop_s()};
  if (arguments.read && arguments.verify) outcome.wrong_elements = mover.wrong();
  bench::print_result(arguments, bytes, outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
