// Patterns by parallel HDF5: a dataset per array, one H5Dwrite (H5Dread) per part, collective or independent.
// Collective over MPI_COMM_WORLD.
#include <hdf5.h>
#include <mpi.h>

#include <stdexcept>
#include <vector>

#include "common/pattern_side.h"
#include "peers/hdf5_calls.h"
#include "peers/hints.h"

namespace {

using bench::checked;
using bench::memory_type;

// A block of an array; nothing if it holds no elements.
class Selection {
 public:
  Selection(const std::vector<int64_t>& extents, const std::vector<int64_t>& begin,
            const std::vector<int64_t>& size) {
    const std::vector<hsize_t> dims(extents.begin(), extents.end());
    const std::vector<hsize_t> start(begin.begin(), begin.end());
    const std::vector<hsize_t> count(size.begin(), size.end());
    space_ =
        checked(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), "H5Screate_simple");
    bool empty = false;
    for (const hsize_t n : count) empty = empty || n == 0;
    if (empty) {
      checked(H5Sselect_none(space_), "H5Sselect_none");
    } else {
      checked(H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "H5Sselect_hyperslab");
    }
  }
  ~Selection() { H5Sclose(space_); }
  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;
  hid_t get() const { return space_; }

 private:
  hid_t space_;
};

std::vector<hid_t> open_datasets(hid_t file, const bench::Pattern& pattern, bool read) {
  std::vector<hid_t> datasets;
  for (size_t a = 0; a < pattern.arrays.size(); ++a) {
    const char* name = pattern.arrays[a].name.c_str();
    if (read) {
      datasets.push_back(checked(H5Dopen2(file, name, H5P_DEFAULT), "H5Dopen2"));
      continue;
    }
    const std::vector<int64_t> dims = pattern.dims_of(a);
    const Selection space(dims, std::vector<int64_t>(dims.size(), 0), dims);
    datasets.push_back(checked(H5Dcreate2(file, name, memory_type(pattern.arrays[a].type), space.get(),
                                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               "H5Dcreate2"));
  }
  return datasets;
}

void move_all(const std::vector<hid_t>& datasets, const bench::Pattern& pattern, bench::PatternMemory& memory,
              const bench::Arguments& arguments) {
  const bool collective = arguments.mode == "collective";
  const hid_t transfer = bench::transfer_list(collective);
  for (const auto& parts : pattern.steps) {
    for (const bench::Part& part : parts) {
      if (!collective && part.elements() == 0) continue;
      const hid_t type = memory_type(pattern.arrays[part.array].type);
      const Selection there(pattern.dims_of(part.array), part.start, part.count);
      const Selection here(part.memory.dims, part.memory.start, part.memory.count);
      void* const data = memory.frame(part);
      if (arguments.read) {
        checked(H5Dread(datasets[part.array], type, here.get(), there.get(), transfer, data), "H5Dread");
      } else {
        checked(H5Dwrite(datasets[part.array], type, here.get(), there.get(), transfer, data), "H5Dwrite");
      }
    }
  }
  H5Pclose(transfer);
}

void run(const bench::Arguments& arguments) {
  if (arguments.mode != "collective" && arguments.mode != "independent") {
    throw std::invalid_argument("parallel HDF5 is run collective or independent");
  }
  const bench::Pattern pattern = bench::pattern_of(arguments);
  bench::PatternMemory memory(pattern);
  if (!arguments.read) memory.fill();
  checked(H5open(), "H5open");
  const bench::Hints hints(arguments);

  bench::Stopwatch watch;
  const hid_t file = bench::open_hdf5(arguments.file, arguments.read, arguments.tuned, hints.info());
  watch.lap("open");
  const std::vector<hid_t> datasets = open_datasets(file, pattern, arguments.read);
  watch.lap("define");
  move_all(datasets, pattern, memory, arguments);
  watch.lap(arguments.read ? "read" : "write");
  for (const hid_t dataset : datasets) checked(H5Dclose(dataset), "H5Dclose");
  checked(H5Fclose(file), "H5Fclose");
  watch.lap("close");
  bench::print_pattern_result(arguments, pattern, memory,
                              {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
