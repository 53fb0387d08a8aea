#include "base/address_range.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace scorpio {

AddressRange::AddressRange(size_t bytes) : data_(nullptr), size_(bytes) {
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  (void)madvise(address, bytes, MADV_NOHUGEPAGE);  // a page is to take no more memory than its own
  data_ = static_cast<std::byte*>(address);
}

AddressRange::~AddressRange() { (void)munmap(data_, size_); }

size_t AddressRange::page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// Fails for a page that is locked in memory, which then keeps its contents.
void AddressRange::release_page(std::byte* page) { (void)madvise(page, page_bytes(), MADV_DONTNEED); }

}  // namespace scorpio
