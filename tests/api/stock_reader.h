// Variables as a program of its own reads them, with HDF5 alone (stock_hdf5.c). Called on one rank.
#pragma once

#include <string>
#include <vector>

namespace scorpio::api_test {

// Exit code of stock_hdf5 with these arguments.
int run_stock_hdf5(const std::vector<std::string>& arguments);

// All bytes of a data set in the native form of its type; empty if it cannot be read.
std::vector<unsigned char> stock_bytes(const std::string& file, const std::string& variable);

template <typename T>
std::vector<T> stock_elements(const std::string& file, const std::string& variable) {
  const std::vector<unsigned char> bytes = stock_bytes(file, variable);
  const T* first = reinterpret_cast<const T*>(bytes.data());
  return std::vector<T>(first, first + bytes.size() / sizeof(T));
}

}  // namespace scorpio::api_test
