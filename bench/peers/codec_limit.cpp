// The limit of workload netcdf4: one process with as many threads as processors, each of which takes the next
// chunk, encodes it with the codec that the library uses and writes it behind the others with pwrite; or
// reads it and decodes it. No exchange and no metadata. Phase `placing` is the copy between what the ranks of
// a job of --job-ranks hold and the images of the chunks. The file is for this program alone; its index is
// beside it.
#include <mpi.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "common/chunked.h"
#include "common/pieces.h"
#include "common/processor_time.h"
#include "common/stopwatch.h"
#include "peers/codecs.h"
#include "peers/posix_calls.h"

namespace {

struct Chunk {
  int variable;
  bench::Box box;
  std::vector<float> image;
  int64_t address = 0;
  int64_t bytes = 0;
};

std::vector<Chunk> chunks_of(const bench::Chunked& job) {
  std::vector<Chunk> chunks;
  bench::Box box{std::vector<int64_t>(job.dims.size(), 0), job.chunk};
  for (int64_t i = 0; i < job.steps() * job.variables; ++i) {
    const auto v = static_cast<int>(i % job.variables);
    for (bool more = true; more;) {
      for (size_t d = 0; d < job.dims.size(); ++d)
        box.count[d] = std::min(job.chunk[d], job.dims[d] - box.start[d]);
      chunks.push_back({v, box, std::vector<float>(static_cast<size_t>(box.elements()))});
      more = false;
      for (size_t d = job.dims.size(); d-- > 0 && !more;) {
        box.start[d] += job.chunk[d];
        more = box.start[d] < job.dims[d];
        if (!more) box.start[d] = 0;
      }
    }
  }
  return chunks;
}

class Limit {
 public:
  explicit Limit(const bench::Arguments& arguments)
      : arguments_(arguments),
        job_(bench::chunked_of(arguments, arguments.job_ranks)),
        chunks_(chunks_of(job_)) {
    for (int r = 0; r < arguments.job_ranks; ++r) {
      blocks_.push_back(bench::block_of(job_, r, arguments.job_ranks));
      held_.emplace_back(static_cast<size_t>(blocks_.back().elements() * job_.variables));
    }
  }

  void run() {
    if (arguments_.read) {
      read_index();
    } else {
      for_each_held([&](const bench::Box& block, int v, std::span<float> held) {
        bench::fill_field(job_, block, v, held);
      });
    }
    const double cpu_before = bench::processor_s();
    bench::Stopwatch watch;
    file_ = bench::open_file(arguments_);
    if (!arguments_.read) place(watch);
    on_all_threads([this](Chunk& chunk, bench::Codecs& codecs) {
      arguments_.read ? decode(chunk, codecs) : encode(chunk, codecs);
    });
    bench::close_file(arguments_, file_);
    watch.lap("coding");
    if (arguments_.read) place(watch);
    const double total_s = watch.stop_s();
    auto phases = watch.phases_s();
    phases["cpu"] = bench::processor_s() - cpu_before;
    if (!arguments_.read) write_index();
    bench::print_result(arguments_, job_.bytes(),
                        {.total_s = total_s,
                         .phases_s = std::move(phases),
                         .extra = {{"encoded_bytes", end_.load()}},
                         .wrong_elements = arguments_.read && arguments_.verify ? wrong() : -1});
  }

 private:
  template <class Visit>
  void for_each_held(Visit&& visit) {
    for (size_t r = 0; r < blocks_.size(); ++r) {
      const auto elements = static_cast<size_t>(blocks_[r].elements());
      for (int v = 0; v < job_.variables; ++v)
        visit(blocks_[r], v, std::span(held_[r]).subspan(elements * static_cast<size_t>(v), elements));
    }
  }

  void on_all_threads(const std::function<void(Chunk&, bench::Codecs&)>& work) {
    std::atomic<size_t> next = 0;
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::thread::hardware_concurrency(); ++t) {
      threads.emplace_back([&] {
        bench::Codecs codecs(job_.filters, job_.keep_bits);
        for (size_t i = next++; i < chunks_.size(); i = next++) work(chunks_[i], codecs);
      });
    }
  }

  void place(bench::Stopwatch& watch) {
    on_all_threads([this](Chunk& chunk, bench::Codecs&) { place(chunk); });
    watch.lap("placing");
  }

  void place(Chunk& chunk) {
    for (size_t r = 0; r < blocks_.size(); ++r) {
      const bench::Box& block = blocks_[r];
      const bench::Box both = bench::overlap_of(chunk.box, block);
      float* const held = held_[r].data() + block.elements() * chunk.variable;
      bench::for_each_piece(job_.dims, block, both, [&](int64_t offset, int64_t at, int64_t n) {
        const int64_t global = global_of(both, offset);
        float* const there = chunk.image.data() + bench::offset_in(job_.dims, chunk.box, global);
        if (arguments_.read) {
          std::copy_n(there, n, held + at);
        } else {
          std::copy_n(held + at, n, there);
        }
      });
    }
  }

  // Of the element at an offset in the image of a block.
  int64_t global_of(const bench::Box& block, int64_t offset) const {
    int64_t global = 0, scale = 1;
    for (size_t d = job_.dims.size(); d-- > 0;) {
      global += (block.start[d] + offset % block.count[d]) * scale;
      offset /= block.count[d];
      scale *= job_.dims[d];
    }
    return global;
  }

  void encode(Chunk& chunk, bench::Codecs& codecs) {
    const std::span<std::byte> bytes = codecs.encode(std::as_writable_bytes(std::span(chunk.image)));
    chunk.bytes = static_cast<int64_t>(bytes.size());
    chunk.address = end_.fetch_add(chunk.bytes);
    bench::move_bytes(arguments_, file_, bytes.data(), bytes.size(), chunk.address);
  }

  void decode(Chunk& chunk, bench::Codecs& codecs) {
    std::vector<std::byte> bytes(static_cast<size_t>(chunk.bytes));
    bench::move_bytes(arguments_, file_, bytes.data(), bytes.size(), chunk.address);
    codecs.decode(bytes, std::as_writable_bytes(std::span(chunk.image)));
  }

  std::string index_name() const { return arguments_.file + ".index"; }

  void write_index() const {
    std::ofstream out(index_name());
    for (const Chunk& chunk : chunks_) out << chunk.address << ' ' << chunk.bytes << '\n';
  }

  void read_index() {
    std::ifstream in(index_name());
    for (Chunk& chunk : chunks_) in >> chunk.address >> chunk.bytes;
    if (!in) throw std::runtime_error(index_name() + " is not of these chunks");
  }

  int64_t wrong() {
    int64_t wrong = 0;
    for_each_held([&](const bench::Box& block, int v, std::span<float> held) {
      wrong += bench::count_wrong(job_, block, v, held);
    });
    return wrong;
  }

  const bench::Arguments& arguments_;
  const bench::Chunked job_;
  std::vector<Chunk> chunks_;
  std::vector<bench::Box> blocks_;        // [ranks]
  std::vector<std::vector<float>> held_;  // [ranks][variables][elements of the block]
  int file_ = -1;
  std::atomic<int64_t> end_ = 0;
};

void run(const bench::Arguments& arguments) { Limit(arguments).run(); }

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
