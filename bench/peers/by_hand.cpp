// Two-phase I/O written by hand for one pattern on one machine: all ranks place their elements, with their
// bytes in the order of the file, in memory that they share; they meet; the I/O ranks write it, a MiB each in
// turn, while the next step is placed. Nothing else: no names, no header, no errors of others, and as much
// memory as two steps take. A library that does the same in bounded memory can hardly be faster. Collective
// over MPI_COMM_WORLD.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "common/pattern_side.h"
#include "peers/posix_calls.h"

namespace {

using bench::Part;
using bench::Pattern;

constexpr int64_t k_block_bytes = int64_t{1} << 20;
constexpr size_t k_page_bytes = 4096;

// Where an array's records of one step lie in the image of the step; a fixed array is one record.
struct Slab {
  int64_t begin = 0;
  int64_t first_record = 0;
  int64_t record_bytes = 0;
};

struct StepImage {
  std::vector<Slab> slabs;  // [arrays]
  int64_t bytes = 0;
  int64_t file_begin = 0;
};

// [arrays][2]: first record that any rank moves in the step, negated, and one past the last; 0: none.
std::vector<int64_t> records_of(const Pattern& pattern, const std::vector<Part>& parts) {
  std::vector<int64_t> bounds;
  for (size_t a = 0; a < pattern.arrays.size(); ++a)
    bounds.insert(bounds.end(), {-std::numeric_limits<int64_t>::max(), 0});
  for (const Part& part : parts) {
    if (part.elements() == 0) continue;
    const bool records = pattern.has_records(part.array);
    int64_t* const of_array = &bounds[2 * part.array];
    of_array[0] = std::max(of_array[0], records ? -part.start[0] : 0);
    of_array[1] = std::max(of_array[1], records ? part.start[0] + part.count[0] : 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, bounds.data(), static_cast<int>(bounds.size()), MPI_INT64_T, MPI_MAX,
                MPI_COMM_WORLD);
  return bounds;
}

StepImage image_of(const Pattern& pattern, const std::vector<Part>& parts) {
  const std::vector<int64_t> bounds = records_of(pattern, parts);
  StepImage image;
  for (size_t a = 0; a < pattern.arrays.size(); ++a) {
    const std::vector<int64_t> dims = pattern.dims_of(a);
    auto bytes = static_cast<int64_t>(bench::bytes_of(pattern.arrays[a].type));
    for (size_t d = pattern.has_records(a) ? 1 : 0; d < dims.size(); ++d) bytes *= dims[d];
    const int64_t records = std::max<int64_t>(0, bounds[2 * a + 1] + bounds[2 * a]);
    image.slabs.push_back({image.bytes, -bounds[2 * a], bytes});
    image.bytes += records * bytes;
  }
  return image;
}

std::vector<StepImage> images_of(const Pattern& pattern) {
  std::vector<StepImage> images;
  int64_t end = 0;
  for (const auto& parts : pattern.steps) {
    images.push_back(image_of(pattern, parts));
    images.back().file_begin = end;
    end += images.back().bytes;
  }
  return images;
}

// A counter of arrivals and up to two images, in memory of all ranks.
class Shared {
 public:
  Shared(size_t image_bytes, size_t images) : image_bytes_(image_bytes), images_(images) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    const size_t bytes = k_page_bytes + images * image_bytes;
    std::byte* mine = nullptr;
    MPI_Win_allocate_shared(rank_ == 0 ? static_cast<MPI_Aint>(bytes) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                            static_cast<void*>(&mine), &window_);
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&memory_));
    if (rank_ == 0) {
      std::memset(memory_, 0, bytes);
      new (memory_) std::atomic<int>(0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t at = 0; at < bytes; at += k_page_bytes) {
      [[maybe_unused]] const volatile std::byte touched = memory_[at];
    }
  }
  ~Shared() { MPI_Win_free(&window_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::byte* image(size_t step) const { return memory_ + k_page_bytes + step % images_ * image_bytes_; }
  void meet() {
    auto& arrived = *std::launder(reinterpret_cast<std::atomic<int>*>(memory_));
    arrived.fetch_add(1);
    const int all = ++meetings_ * ranks_;
    while (arrived.load() < all) sched_yield();
  }
  // Which of `io_ranks` I/O ranks, spread over the ranks, this one is; -1: none.
  int io_rank(int io_ranks) const {
    for (int i = 0; i < io_ranks; ++i) {
      if (rank_ == i * ranks_ / io_ranks) return i;
    }
    return -1;
  }

 private:
  size_t image_bytes_;
  size_t images_;
  int rank_ = 0;
  int ranks_ = 1;
  int meetings_ = 0;
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* memory_ = nullptr;
};

template <typename Word>
Word reversed(Word word) {
  if constexpr (sizeof word == 4) return __builtin_bswap32(word);
  if constexpr (sizeof word == 8) return __builtin_bswap64(word);
  return word;
}

template <typename Word>
void copy_words(std::byte* to, int64_t to_step, const std::byte* from, int64_t from_step, int64_t words) {
  for (int64_t i = 0; i < words; ++i, to += to_step, from += from_step) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    word = reversed(word);
    std::memcpy(to, &word, sizeof word);
  }
}

void copy_row(size_t element_bytes, std::byte* to, int64_t to_step, const std::byte* from, int64_t from_step,
              int64_t elements) {
  const auto size = static_cast<int64_t>(element_bytes);
  if (size == 8) return copy_words<uint64_t>(to, to_step * size, from, from_step * size, elements);
  if (size == 4) return copy_words<uint32_t>(to, to_step * size, from, from_step * size, elements);
  if (to_step == 1 && from_step == 1) {
    std::memcpy(to, from, static_cast<size_t>(elements));
    return;
  }
  copy_words<uint8_t>(to, to_step, from, from_step, elements);
}

void place(const Pattern& pattern, size_t step, const StepImage& image, bench::PatternMemory& memory,
           std::byte* bytes, bool read) {
  for (const Part& part : pattern.steps[step]) {
    const size_t size = bench::bytes_of(pattern.arrays[part.array].type);
    const Slab& slab = image.slabs[part.array];
    bench::for_each_row(
        pattern, part, [&](int64_t place, int64_t distance, int64_t index, int64_t record, int64_t row) {
          std::byte* const mine = memory.frame(part) + place * static_cast<int64_t>(size);
          std::byte* const there = bytes + slab.begin + (record - slab.first_record) * slab.record_bytes +
                                   index * static_cast<int64_t>(size);
          if (read) {
            copy_row(size, mine, distance, there, 1, row);
          } else {
            copy_row(size, there, 1, mine, distance, row);
          }
        });
  }
}

// The blocks of one I/O rank.
class Share {
 public:
  Share(const bench::Arguments& arguments, int io_rank) : arguments_(arguments), io_rank_(io_rank) {
    if (io_rank >= 0) descriptor_ = bench::open_file(arguments);
  }
  ~Share() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  void move(const StepImage& image, std::byte* bytes) const {
    if (io_rank_ < 0) return;
    const int64_t end = image.file_begin + image.bytes;
    for (int64_t block = image.file_begin / k_block_bytes; block * k_block_bytes < end; ++block) {
      if (block % arguments_.io_ranks != io_rank_) continue;
      const int64_t from = std::max(image.file_begin, block * k_block_bytes);
      const int64_t to = std::min(end, (block + 1) * k_block_bytes);
      bench::move_bytes(arguments_, descriptor_, bytes + (from - image.file_begin),
                        static_cast<size_t>(to - from), from);
    }
  }

 private:
  const bench::Arguments& arguments_;
  int io_rank_;
  int descriptor_ = -1;
};

void run(const bench::Arguments& arguments) {
  const Pattern pattern = bench::pattern_of(arguments);
  bench::PatternMemory memory(pattern);
  if (!arguments.read) memory.fill();
  const std::vector<StepImage> images = images_of(pattern);
  int64_t longest = 0;
  for (const StepImage& image : images) longest = std::max(longest, image.bytes);
  Shared shared(static_cast<size_t>(longest), std::min<size_t>(2, images.size()));

  bench::Stopwatch watch;
  const Share share(arguments, shared.io_rank(arguments.io_ranks));
  watch.lap("open");
  if (arguments.read) share.move(images[0], shared.image(0));
  for (size_t step = 0; step < images.size(); ++step) {
    if (!arguments.read) place(pattern, step, images[step], memory, shared.image(step), false);
    shared.meet();
    const size_t moved = arguments.read ? step + 1 : step;
    if (moved < images.size()) share.move(images[moved], shared.image(moved));
    if (arguments.read) place(pattern, step, images[step], memory, shared.image(step), true);
  }
  watch.lap(arguments.read ? "read" : "write");
  bench::print_pattern_result(arguments, pattern, memory,
                              {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
