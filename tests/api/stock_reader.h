// Variables as a program of its own reads them, with HDF5 alone (stock_hdf5.c). Called on one rank.
#pragma once

#include <string>
#include <vector>

namespace scorpio::api_test {

// A file that SCORPIO still has open for writing carries its lock, as HDF5's own would: readers must ask HDF5
// to ignore it (HDF5_USE_FILE_LOCKING=FALSE).
enum class Lock { respected, ignored };

// Exit code of stock_hdf5 with these arguments.
int run_stock_hdf5(const std::vector<std::string>& arguments, Lock lock = Lock::respected);

// All bytes of a data set in the native form of its type; empty if it cannot be read.
std::vector<unsigned char> stock_bytes(const std::string& file, const std::string& variable,
                                       Lock lock = Lock::respected);

template <typename T>
std::vector<T> stock_elements(const std::string& file, const std::string& variable,
                              Lock lock = Lock::respected) {
  const std::vector<unsigned char> bytes = stock_bytes(file, variable, lock);
  const T* first = reinterpret_cast<const T*>(bytes.data());
  return std::vector<T>(first, first + bytes.size() / sizeof(T));
}

}  // namespace scorpio::api_test
