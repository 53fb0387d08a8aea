#include "common/buffers.h"

#include <algorithm>

#include "common/value.h"

namespace bench {
Buffers::Buffers(const Workload& workload, const Box& box, bool reuse)
    : workload_(workload), box_(box), reuse_(reuse) {
  const size_t elements = static_cast<size_t>(box.elements());
  const size_t count = reuse ? 1 : workload.variables.size();
  for (size_t v = 0; v < count; ++v) {
    store_.emplace_back(std::max<size_t>(1, elements * bytes_of(workload.variables[v].type)));
  }
}

void Buffers::fill(size_t variable) {
  const uint64_t seed = element_seed(static_cast<uint32_t>(variable), 0);
  with_type(workload_.variables[variable].type, [&](auto zero) {
    using T = decltype(zero);
    T* out = static_cast<T*>(data(variable));
    for_each_run(workload_.dims, box_, [&](int64_t offset, int64_t global, int64_t run) {
      for (int64_t i = 0; i < run; ++i) {
        out[offset + i] = element_value<T>(seed, static_cast<uint64_t>(global + i));
      }
    });
  });
}

void Buffers::fill_all() {
  for (size_t v = 0; v < workload_.variables.size(); ++v) fill(v);
}

void Buffers::clear(size_t variable) {
  std::vector<std::byte>& bytes = store_[reuse_ ? 0 : variable];
  std::fill(bytes.begin(), bytes.end(), std::byte{0xa5});
}

int64_t Buffers::wrong(size_t variable) const {
  const uint64_t seed = element_seed(static_cast<uint32_t>(variable), 0);
  int64_t wrong = 0;
  with_type(workload_.variables[variable].type, [&](auto zero) {
    using T = decltype(zero);
    const T* in = reinterpret_cast<const T*>(store_[reuse_ ? 0 : variable].data());
    for_each_run(workload_.dims, box_, [&](int64_t offset, int64_t global, int64_t run) {
      for (int64_t i = 0; i < run; ++i) {
        wrong += in[offset + i] != element_value<T>(seed, static_cast<uint64_t>(global + i)) ? 1 : 0;
      }
    });
  });
  return wrong;
}

int64_t Buffers::wrong_all() const {
  int64_t wrong = 0;
  for (size_t v = 0; v < workload_.variables.size(); ++v) wrong += this->wrong(v);
  return wrong;
}

}  // namespace bench
