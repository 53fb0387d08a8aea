#include "pio/decompositions/map_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <ios>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "common/limited_waits.h"
#include "common/text_of_rank.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/decompositions/map_reader.h"

namespace scorpio_pio {

namespace {

constexpr int k_version = 2001;
constexpr int k_tag = 1;

struct Closer {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using Text = std::unique_ptr<std::FILE, Closer>;

// Messages between the ranks of a communicator that no receive of the program takes. Collective.
class OwnComm {
 public:
  explicit OwnComm(MPI_Comm comm) { MPI_Comm_dup(comm, &comm_); }
  ~OwnComm() { MPI_Comm_free(&comm_); }
  OwnComm(const OwnComm&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;

  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_in(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

// A map goes in messages of so many elements, for which a rank has memory in any case.
constexpr int64_t k_most_in_message = 8192;
using Piece = std::array<PIO_Offset, k_most_in_message>;

template <typename Transfer>
void in_messages(int64_t length, Transfer&& transfer) {
  for (int64_t begin = 0; begin < length; begin += k_most_in_message)
    transfer(begin, static_cast<int>(std::min(k_most_in_message, length - begin)));
}

void send(const std::vector<PIO_Offset>& map, int to, MPI_Comm comm) {
  const auto length = static_cast<int64_t>(map.size());
  scorpio_compat::send(&length, 1, MPI_INT64_T, to, k_tag, comm);
  in_messages(length, [&](int64_t begin, int count) {
    scorpio_compat::send(map.data() + begin, count, MPI_OFFSET, to, k_tag, comm);
  });
}

int64_t receive_length(int from, MPI_Comm comm) {
  int64_t length = 0;
  scorpio_compat::receive(&length, 1, MPI_INT64_T, from, k_tag, comm);
  return length;
}

// Calls `take` with each piece. All are received, whatever becomes of them: the sender waits for that.
template <typename Take>
void receive_pieces(int64_t length, int from, MPI_Comm comm, Take&& take) {
  Piece piece;
  in_messages(length, [&](int64_t begin, int count) {
    scorpio_compat::receive(piece.data(), count, MPI_OFFSET, from, k_tag, comm);
    take(begin, std::span<const PIO_Offset>(piece.data(), static_cast<size_t>(count)));
  });
}

int receive(int from, MPI_Comm comm, std::vector<PIO_Offset>& map) {
  const int64_t length = receive_length(from, comm);
  const int code = guarded([&] {
    map.resize(static_cast<size_t>(length));
    return PIO_NOERR;
  });
  receive_pieces(length, from, comm, [&](int64_t begin, std::span<const PIO_Offset> piece) {
    if (code == PIO_NOERR) std::ranges::copy(piece, map.begin() + begin);
  });
  return code;
}

void print_head(std::FILE* file, int rank, int64_t length) {
  (void)std::fprintf(file, "%d %lld\n", rank, static_cast<long long>(length));
}

void print(std::FILE* file, std::span<const PIO_Offset> piece) {
  for (const PIO_Offset at : piece) (void)std::fprintf(file, "%lld ", static_cast<long long>(at));
}

int io_failure(const std::string& path, const char* what) {
  return fail(PIO_EIO, path, " cannot be ", what, ": ", std::strerror(errno));
}

// Each rank's map is written as it comes.
int write_all(const std::string& path, int ioid, const std::vector<int>& extents,
              const std::vector<PIO_Offset>& mine, MPI_Comm comm) {
  const int ranks = ranks_in(comm);
  Text file(std::fopen(path.c_str(), "w"));
  const int code = file == nullptr ? io_failure(path, "created") : PIO_NOERR;
  if (file != nullptr) {
    (void)std::fprintf(file.get(), "version %d npes %d ndims %zu \n", k_version, ranks, extents.size());
    for (const int extent : extents) (void)std::fprintf(file.get(), "%d ", extent);
    (void)std::fputc('\n', file.get());
    print_head(file.get(), 0, static_cast<int64_t>(mine.size()));
    print(file.get(), mine);
    (void)std::fputc('\n', file.get());
  }
  for (int rank = 1; rank < ranks; ++rank) {
    const int64_t length = receive_length(rank, comm);
    if (file != nullptr) print_head(file.get(), rank, length);
    receive_pieces(length, rank, comm, [&](int64_t, std::span<const PIO_Offset> piece) {
      if (file != nullptr) print(file.get(), piece);
    });
    if (file != nullptr) (void)std::fputc('\n', file.get());
  }
  if (file == nullptr) return code;
  (void)std::fprintf(file.get(), "ioid\t%d\n", ioid);
  if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0) return io_failure(path, "written");
  // File servers and quotas may tell a failed write only now.
  if (std::fclose(file.release()) != 0) return io_failure(path, "written");
  return PIO_NOERR;
}

int damaged(const std::string& path, const char* what) {
  return fail(PIO_ENOTNC, path, " is not a file of a decomposition, or is damaged: ", what);
}

int read_head(const std::string& path, MapReader& reader, int ranks, std::vector<int>& extents,
              int64_t& writers) {
  const MapReader::Head head = reader.head(PIO_MAX_VAR_DIMS);
  writers = head.ranks;
  if (writers > ranks)
    return fail(PIO_EINVAL, path, " holds the maps of ", writers, " ranks; it cannot be read on ", ranks);
  for (const int64_t extent : head.extents) {
    if (extent > INT_MAX) return damaged(path, "an extent of the array is too large");
    extents.push_back(static_cast<int>(extent));
  }
  return PIO_NOERR;
}

// `read` returns a code of this interface. What it throws must not leave the loop, for which other ranks
// wait.
template <typename Read>
int checked(const std::string& path, Read&& read) {
  try {
    return read();
  } catch (const BadMapText& wrong) {
    return damaged(path, wrong.what());
  } catch (const std::ios_base::failure& failure) {
    return fail(PIO_EIO, path, " cannot be read: ", failure.what());
  } catch (const std::bad_alloc&) {
    return fail(PIO_ENOMEM, "there is no memory for a map in ", path);
  }
}

int read_map(MapReader& reader, int rank, std::vector<PIO_Offset>& map) {
  std::vector<int64_t> elements;
  reader.next(rank, {INT64_MIN, INT64_MAX}, elements);
  map.assign(elements.begin(), elements.end());
  return PIO_NOERR;
}

// Sends empty maps after a failure, because all ranks wait for one.
int read_all(const std::string& path, std::vector<int>& extents, std::vector<PIO_Offset>& mine,
             MPI_Comm comm) {
  const int ranks = ranks_in(comm);
  std::ifstream file(path);
  MapReader reader(file);
  int64_t writers = 0;
  int code = file.is_open() ? checked(path, [&] { return read_head(path, reader, ranks, extents, writers); })
                            : io_failure(path, "opened");
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<PIO_Offset> map;
    if (code == PIO_NOERR && rank < writers)
      code = checked(path, [&] { return read_map(reader, rank, map); });
    if (code != PIO_NOERR) map.clear();
    if (rank > 0) send(map, rank, comm);
    if (rank == 0) mine = std::move(map);
  }
  return code;
}

}  // namespace

int code_of_rank_zero(int code, MPI_Comm comm) {
  scorpio_compat::broadcast(&code, 1, MPI_INT, 0, comm);
  if (code == PIO_NOERR) return PIO_NOERR;
  std::string text = rank_in(comm) == 0 ? reason() : "";
  (void)scorpio_compat::take_text_of(0, text, comm);
  return fail_with(code, text);
}

namespace {

int agreed_memory(int code, MPI_Comm comm) {
  int lowest = code;
  scorpio_compat::all_reduce(&lowest, 1, MPI_INT, MPI_MIN, comm);
  return lowest == code ? code : fail(lowest, "there is no memory for the map of another rank");
}

// Collective: those of rank 0, of which there are at most PIO_MAX_VAR_DIMS.
int share_extents(std::vector<int>& extents, MPI_Comm comm) {
  std::array<int, PIO_MAX_VAR_DIMS + 1> shared{};  // the last one is their number
  std::ranges::copy(extents, shared.begin());
  shared.back() = static_cast<int>(extents.size());
  scorpio_compat::broadcast(shared.data(), static_cast<int>(shared.size()), MPI_INT, 0, comm);
  const int code = guarded([&] {
    extents.assign(shared.begin(), shared.begin() + shared.back());
    return PIO_NOERR;
  });
  return agreed_memory(code, comm);
}

}  // namespace

int write_map_text(const std::string& path, int ioid, const std::vector<int>& extents,
                   const std::vector<PIO_Offset>& map, MPI_Comm of_program, const scorpio_iosystem* system) {
  const OwnComm own_comm(of_program);
  MPI_Comm comm = own_comm.get();
  if (system != nullptr) scorpio_compat::wait_as_long_as(system, comm);
  int code = PIO_NOERR;
  if (rank_in(comm) == 0) {
    code = write_all(path, ioid, extents, map, comm);
  } else {
    send(map, 0, comm);
  }
  return code_of_rank_zero(code, comm);
}

int read_map_text(const std::string& path, std::vector<int>& extents, std::vector<PIO_Offset>& map,
                  MPI_Comm of_program) {
  const OwnComm own_comm(of_program);
  MPI_Comm comm = own_comm.get();
  int code = PIO_NOERR, own = PIO_NOERR;
  if (rank_in(comm) == 0) {
    code = read_all(path, extents, map, comm);
  } else {
    own = receive(0, comm, map);
  }
  if (code = code_of_rank_zero(code, comm); code != PIO_NOERR) return code;
  if (code = agreed_memory(own, comm); code != PIO_NOERR) return code;
  return share_extents(extents, comm);
}

}  // namespace scorpio_pio
