// Workload netcdf4 by parallel HDF5, with the same chunks and filters. Modes:
//   collective  each rank writes (reads) what it holds, one collective call for each variable and step
//   rearranged  one MPI_Alltoallv of a step's data to (from) the I/O ranks, each of which has a range of the
//               first dimension with more than one element; then collective calls of the I/O ranks alone
// Each step extends the datasets by one record. The datasets are not filled.
// Collective over MPI_COMM_WORLD.
#include <hdf5.h>
#include <mpi.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/buffers.h"
#include "common/chunked.h"
#include "common/processor_time.h"
#include "common/stopwatch.h"
#include "peers/hdf5_calls.h"
#include "peers/hints.h"
#include "peers/rearrangement.h"

namespace {

using bench::checked;

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

// The file, on the ranks that access it.
class File {
 public:
  File(const bench::Arguments& arguments, const bench::Chunked& job, MPI_Comm comm)
      : arguments_(arguments), job_(job) {
    const bench::Hints hints(arguments);
    const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
    checked(H5Pset_fapl_mpio(access, comm, hints.info()), "H5Pset_fapl_mpio");
    checked(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110), "H5Pset_libver_bounds");
    const char* name = arguments.file.c_str();
    file_ = arguments.read ? H5Fopen(name, H5F_ACC_RDONLY, access)
                           : H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    checked(file_, "H5Fcreate or H5Fopen");
    H5Pclose(access);
    transfer_ = bench::transfer_list(true);
    for (int v = 0; v < job.variables; ++v) add_dataset("v" + std::to_string(v));
  }

  // `data`: [variables] what this rank has of each one.
  void move(int64_t step, const bench::Box& box, const std::vector<float*>& data) {
    bench::Box there = box;
    if (job_.records > 0) {
      there.start.insert(there.start.begin(), step);
      there.count.insert(there.count.begin(), 1);
    }
    std::vector<int64_t> dims = job_.file_dims();
    if (job_.records > 0 && !arguments_.read) {
      dims[0] = step + 1;
      const std::vector<hsize_t> extents(dims.begin(), dims.end());
      for (const hid_t dataset : datasets_) checked(H5Dset_extent(dataset, extents.data()), "H5Dset_extent");
    }
    const bench::HyperslabPair slabs(dims, there);
    for (size_t v = 0; v < datasets_.size(); ++v) {
      checked(arguments_.read
                  ? H5Dread(datasets_[v], H5T_NATIVE_FLOAT, slabs.memory, slabs.file, transfer_, data[v])
                  : H5Dwrite(datasets_[v], H5T_NATIVE_FLOAT, slabs.memory, slabs.file, transfer_, data[v]),
              arguments_.read ? "H5Dread" : "H5Dwrite");
    }
  }

  void close() {
    for (const hid_t dataset : datasets_) checked(H5Dclose(dataset), "H5Dclose");
    H5Pclose(transfer_);
    checked(H5Fclose(file_), "H5Fclose");
  }

 private:
  void add_dataset(const std::string& name) {
    if (arguments_.read) {
      datasets_.push_back(checked(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), "H5Dopen2"));
      return;
    }
    const std::vector<int64_t> extents = job_.file_dims(), extents_of_chunk = job_.file_chunk();
    std::vector<hsize_t> dims(extents.begin(), extents.end());
    const std::vector<hsize_t> chunk(extents_of_chunk.begin(), extents_of_chunk.end());
    std::vector<hsize_t> most = dims;
    if (job_.records > 0) {
      most[0] = H5S_UNLIMITED;
      dims[0] = 0;
    }
    const int ndims = static_cast<int>(dims.size());
    const hid_t space = checked(H5Screate_simple(ndims, dims.data(), most.data()), "H5Screate_simple");
    const hid_t creation = checked(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    checked(H5Pset_chunk(creation, ndims, chunk.data()), "H5Pset_chunk");
    checked(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
    for (const bench::ChunkFilter& filter : job_.filters) {
      const auto parameter = static_cast<unsigned>(filter.parameter);
      checked(filter.number == H5Z_FILTER_SHUFFLE ? H5Pset_shuffle(creation)
                                                  : H5Pset_deflate(creation, parameter),
              "H5Pset_shuffle or H5Pset_deflate");
    }
    datasets_.push_back(
        checked(H5Dcreate2(file_, name.c_str(), H5T_NATIVE_FLOAT, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                "H5Dcreate2"));
    H5Pclose(creation);
    H5Sclose(space);
  }

  const bench::Arguments& arguments_;
  const bench::Chunked& job_;
  hid_t file_ = -1;
  hid_t transfer_ = -1;
  std::vector<hid_t> datasets_;
};

class Program {
 public:
  Program(const bench::Arguments& arguments, const bench::Chunked& job)
      : arguments_(arguments),
        job_(job),
        box_(bench::block_of(job, rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD))),
        values_(static_cast<size_t>(box_.elements() * job.variables)) {
    if (arguments.mode == "rearranged")
      moved_ = std::make_unique<bench::Rearrangement>(job, arguments.io_ranks);
  }

  void run() {
    if (!arguments_.read) {
      for (int v = 0; v < job_.variables; ++v) bench::fill_field(job_, box_, v, values_of(v));
    }
    checked(H5open(), "H5open");
    const double cpu_before = bench::processor_s();
    bench::Stopwatch watch;
    const bool opens = moved_ == nullptr || moved_->is_io_rank();
    if (opens) file_ = std::make_unique<File>(arguments_, job_, moved_ ? moved_->io_comm() : MPI_COMM_WORLD);
    watch.lap("define");
    for (int64_t step = 0; step < job_.steps(); ++step) move(step);
    watch.lap(arguments_.read ? "read" : "write");
    if (opens) file_->close();
    watch.lap("close");
    const double total_s = watch.stop_s();
    auto phases = watch.phases_s();
    phases["cpu"] = bench::sum_of_processor_s(bench::processor_s() - cpu_before);
    bench::print_result(arguments_, job_.bytes(),
                        {.total_s = total_s, .phases_s = std::move(phases), .wrong_elements = wrong()});
  }

 private:
  std::span<float> values_of(int variable) {
    const auto elements = static_cast<size_t>(box_.elements());
    return std::span(values_).subspan(elements * static_cast<size_t>(variable), elements);
  }

  void move(int64_t step) {
    std::vector<float*> data;
    if (moved_ == nullptr) {
      for (int v = 0; v < job_.variables; ++v) data.push_back(values_of(v).data());
      return file_->move(step, box_, data);
    }
    if (!arguments_.read) moved_->to_io_ranks(values_);
    for (int v = 0; v < job_.variables; ++v) data.push_back(moved_->part_of(v));
    if (moved_->is_io_rank()) file_->move(step, moved_->part(), data);
    if (arguments_.read) moved_->from_io_ranks(values_);
  }

  int64_t wrong() {
    if (!arguments_.read || !arguments_.verify) return -1;
    int64_t wrong = 0;
    for (int v = 0; v < job_.variables; ++v) wrong += bench::count_wrong(job_, box_, v, values_of(v));
    return wrong;
  }

  const bench::Arguments& arguments_;
  const bench::Chunked& job_;
  const bench::Box box_;
  std::vector<float> values_;  // [variables][elements of the block]
  std::unique_ptr<bench::Rearrangement> moved_;
  std::unique_ptr<File> file_;
};

void run(const bench::Arguments& arguments) {
  if (arguments.mode != "collective" && arguments.mode != "rearranged")
    throw std::invalid_argument("the modes are collective and rearranged");
  const bench::Chunked job = bench::chunked_of(arguments, size_of(MPI_COMM_WORLD));
  Program(arguments, job).run();
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
