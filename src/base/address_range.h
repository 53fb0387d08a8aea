// A range of addresses of this process. A page of it takes memory from the first write to it until it is
// released; before the first write it reads as zeros. Local; any thread, one at a time for each page.
#pragma once

#include <cstddef>

namespace scorpio {

class AddressRange {
 public:
  // std::bad_alloc if the process may not have so many addresses.
  explicit AddressRange(size_t bytes);
  ~AddressRange();
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;

  static size_t page_bytes();

  std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  // Returns the memory of a page, whose contents are not needed any more, to the system. The addresses
  // remain.
  static void release_page(std::byte* page);

 private:
  std::byte* data_;
  size_t size_;
};

}  // namespace scorpio
