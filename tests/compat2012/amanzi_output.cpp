// An output object of Amanzi on a group of its own. Methods are Collective over its communicator; one thread.
#include <cstring>

#include "amanzi.h"

namespace amanzi {

Output::Output(MPI_Comm comm) {
  iogroup_conf_t conf;
  std::memset(&conf, 0x7f, sizeof conf);
  conf.numIOgroups = 1;
  conf.commIncoming = comm;
  std::memset(&group_, 0x7f, sizeof group_);
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  EXPECT(0, parallelIO_IOgroup_init(&conf, &group_));
  EXPECT(ranks_, conf.preferredGroupSize);
  EXPECT(rank_, group_.globalrank);
  EXPECT(rank_, group_.localrank);
  EXPECT(ranks_, group_.globalsize);
  EXPECT(ranks_, group_.localsize);
  EXPECT(1, group_.numIOgroups);
}

void Output::open(const std::string& path, file_mode_t mode) {
  file_ = parallelIO_open_file(path.c_str(), &group_, mode);
  EXPECT_TRUE(file_ >= 0);
  if (is_root()) {
    EXPECT_TRUE(group_.file != nullptr && group_.numFiles > 0);
    EXPECT(H5I_FILE, H5Iget_type(fid()));
  } else {
    EXPECT_TRUE(group_.file == nullptr);
    EXPECT(0, group_.numFiles);
  }
}

int Output::first_row(int rank) {
  int first = 0;
  for (int r = 0; r < rank; ++r) first += r % 4 == 1 ? 0 : 3 + r;
  return first;
}

void Output::open_group(const std::string& name) {
  EXPECT(0, parallelIO_create_dataset_group(name.c_str(), file_, &group_));
  current_ = name + "/";
}

void Output::close_group() {
  EXPECT(0, parallelIO_close_dataset_group(file_, &group_));
  current_.clear();
}

void Output::write(const std::string& name, datatype_t type, int columns, int64_t seed) {
  const int first = first_row(rank_), n = first_row(rank_ + 1) - first;
  int global[2] = {rows(), columns}, local[2] = {n, columns};
  std::vector<char> buffer(static_cast<size_t>(n * columns) * value_size(type));
  for (int64_t k = 0; k < n * columns; ++k) value_store(type, buffer.data(), k, first * columns + k, seed);
  EXPECT(0, parallelIO_write_dataset(buffer.data(), type, 2, global, local, file_, name.c_str(), &group_,
                                     NONUNIFORM_CONTIGUOUS_WRITE));
  // Data and metadata are there when the call returns.
  const std::string path = name.front() == '/' ? name : current_ + name;
  if (is_root()) EXPECT_OF(path.c_str(), 1, H5Lexists(fid(), path.c_str(), H5P_DEFAULT));
}

// As Amanzi reads: the number of dimensions first, one or two are good.
void Output::expect(const std::string& name, datatype_t type, int columns, int64_t seed) {
  const int first = first_row(rank_), n = first_row(rank_ + 1) - first;
  int ndims = 0, dims[2] = {-1, -1}, size = -1;
  EXPECT(0, parallelIO_get_dataset_ndims(&ndims, file_, name.c_str(), &group_));
  EXPECT_TRUE(ndims == 1 || ndims == 2);
  EXPECT(0, parallelIO_get_dataset_dims(dims, file_, name.c_str(), &group_));
  EXPECT(rows(), dims[0]);
  if (ndims == 2) EXPECT(columns, dims[1]);
  EXPECT(0, parallelIO_get_dataset_size(&size, file_, name.c_str(), &group_));
  EXPECT(rows() * columns, size);
  int local[2] = {n, columns};
  std::vector<char> buffer(static_cast<size_t>(n * columns) * value_size(type) + 1, 0x5a);
  EXPECT(0, parallelIO_read_dataset(buffer.data(), type, ndims, dims, local, file_, name.c_str(), &group_,
                                    NONUNIFORM_CONTIGUOUS_READ));
  int64_t wrong = 0;
  for (int64_t k = 0; k < n * columns; ++k)
    wrong += !value_is(type, buffer.data(), k, first * columns + k, seed);
  EXPECT(0, wrong);
  EXPECT(0x5a, buffer.back());
}

}  // namespace amanzi
