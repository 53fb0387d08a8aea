#include "model/variable.h"

#include <algorithm>
#include <limits>

namespace scorpio::model {

namespace {

int64_t product(const int64_t* begin, const int64_t* end) {
  if (std::find(begin, end, 0) != end) return 0;
  constexpr int64_t k_most = std::numeric_limits<int64_t>::max();
  int64_t elements = 1;
  for (const int64_t* extent = begin; extent != end; ++extent)
    elements = elements > k_most / *extent ? k_most : elements * *extent;
  return elements;
}

}  // namespace

int64_t Variable::elements() const { return product(dims.data(), dims.data() + dims.size()); }

ByteOrder Variable::byte_order() const {
  return (type.order == ByteOrder::big) != other_order ? ByteOrder::big : ByteOrder::little;
}

uint64_t Variable::bytes() const { return static_cast<uint64_t>(elements()) * type.size_bytes; }

bool Variable::stays_empty() const {
  if (!is_free()) return slab_bytes() == 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!grows(d) && dims[d] == 0) return true;
  }
  return false;
}

int64_t Variable::slab_elements() const {
  return product(dims.data() + (records ? 1 : 0), dims.data() + dims.size());
}

}  // namespace scorpio::model
