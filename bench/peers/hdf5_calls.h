// What programs that use parallel HDF5 share. Collective over MPI_COMM_WORLD where a file is opened, else
// local.
#pragma once

#include <hdf5.h>
#include <mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/workload.h"
#include "peers/hints.h"

namespace bench {

// Every id and status of HDF5 is negative when the call failed.
template <class T>
T checked(T result, const char* call) {
  if (result < 0) throw std::runtime_error(std::string(call) + " failed");
  return result;
}

inline hid_t memory_type(Type type) {
  switch (type) {
    case Type::int8:
      return H5T_NATIVE_INT8;
    case Type::uint8:
      return H5T_NATIVE_UINT8;
    case Type::int32:
      return H5T_NATIVE_INT32;
    case Type::float32:
      return H5T_NATIVE_FLOAT;
    case Type::float64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

// One selection of a dataset and of a buffer that holds just that.
struct HyperslabPair {
  HyperslabPair(const std::vector<int64_t>& extents, const Box& box) {
    const std::vector<hsize_t> dims(extents.begin(), extents.end());
    const std::vector<hsize_t> start(box.start.begin(), box.start.end());
    const std::vector<hsize_t> count(box.count.begin(), box.count.end());
    const int ndims = static_cast<int>(dims.size());
    file = checked(H5Screate_simple(ndims, dims.data(), nullptr), "H5Screate_simple");
    memory = checked(H5Screate_simple(ndims, count.data(), nullptr), "H5Screate_simple");
    if (box.elements() == 0) {
      H5Sselect_none(file);
      H5Sselect_none(memory);
    } else {
      checked(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "H5Sselect_hyperslab");
    }
  }
  ~HyperslabPair() {
    H5Sclose(memory);
    H5Sclose(file);
  }
  HyperslabPair(const HyperslabPair&) = delete;
  HyperslabPair& operator=(const HyperslabPair&) = delete;

  hid_t file;
  hid_t memory;
};

inline hid_t open_hdf5(const std::string& name, bool read, bool aligned, MPI_Info info) {
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  checked(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, info), "H5Pset_fapl_mpio");
  if (aligned) checked(H5Pset_alignment(access, k_alignment_bytes, k_alignment_bytes), "H5Pset_alignment");
  const hid_t file = read ? H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)
                          : H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  checked(file, read ? "H5Fopen" : "H5Fcreate");
  H5Pclose(access);
  return file;
}

inline hid_t transfer_list(bool collective) {
  const hid_t transfer = checked(H5Pcreate(H5P_DATASET_XFER), "H5Pcreate");
  checked(H5Pset_dxpl_mpio(transfer, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT),
          "H5Pset_dxpl_mpio");
  return transfer;
}

}  // namespace bench
