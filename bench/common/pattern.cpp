#include "common/pattern.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>

#include "common/pattern_makers.h"

namespace bench {
namespace {

using Maker = Pattern (*)(const PatternSizes&, int, int);

int64_t product(const std::vector<int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), int64_t{1}, std::multiplies<>());
}

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> k_makers = {
      {"w2", make_blocks_pattern}, {"w2v", make_blocks_pattern}, {"w3", make_btio_pattern},
      {"w4", make_flash_pattern},  {"w7", make_wrf_pattern},     {"w8", make_ior_pattern}};
  return k_makers;
}

std::vector<int64_t> strides_of(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;) strides[d - 1] = strides[d] * dims[d];
  return strides;
}

}  // namespace

int64_t Part::elements() const { return product(count); }

int64_t Part::first_element() const {
  const std::vector<int64_t> strides = strides_of(memory.dims);
  return std::inner_product(strides.begin(), strides.end(), memory.start.begin(), int64_t{0});
}

std::vector<int64_t> Part::map() const {
  const std::vector<int64_t> strides = strides_of(memory.dims);
  std::vector<int64_t> distances(count.size(), 1);
  size_t m = 0;
  for (size_t d = 0; d < count.size(); ++d) {
    if (count[d] <= 1) continue;  // never stepped along
    while (m < memory.count.size() && memory.count[m] == 1) ++m;
    if (m == memory.count.size() || memory.count[m] != count[d]) {
      throw std::logic_error("the block in memory and the part do not have the same shape");
    }
    distances[d] = strides[m++];
  }
  return distances;
}

bool Pattern::has_records(size_t array) const {
  return !arrays[array].axes.empty() && axes[arrays[array].axes[0]].unlimited;
}

std::vector<int64_t> Pattern::dims_of(size_t array) const {
  std::vector<int64_t> dims;
  for (const size_t axis : arrays[array].axes) dims.push_back(axes[axis].extent);
  return dims;
}

int64_t Pattern::bytes() const {
  int64_t bytes = 0;
  for (size_t a = 0; a < arrays.size(); ++a) {
    bytes += product(dims_of(a)) * static_cast<int64_t>(bytes_of(arrays[a].type));
  }
  return bytes;
}

size_t Pattern::reserve(Type type, const std::vector<int64_t>& dims) {
  constexpr size_t k_alignment = 64;
  const size_t first = memory_bytes;
  const size_t bytes = static_cast<size_t>(product(dims)) * bytes_of(type);
  memory_bytes += (bytes + k_alignment - 1) / k_alignment * k_alignment;
  return first;
}

Part Pattern::dense_part(size_t array, std::vector<int64_t> start, std::vector<int64_t> count) {
  const Frame frame{reserve(arrays[array].type, count), count, std::vector<int64_t>(count.size(), 0), count};
  return {array, std::move(start), std::move(count), frame};
}

bool is_pattern(const std::string& workload) { return makers().count(workload) > 0; }

Pattern make_pattern(const PatternSizes& sizes, int rank, int ranks) {
  const auto maker = makers().find(sizes.workload);
  if (maker == makers().end()) throw std::invalid_argument("no pattern is named \"" + sizes.workload + "\"");
  return maker->second(sizes, rank, ranks);
}

std::string form_among(const PatternSizes& sizes, const std::vector<std::string>& forms) {
  if (sizes.form.empty()) return forms.front();
  if (std::find(forms.begin(), forms.end(), sizes.form) != forms.end()) return sizes.form;
  std::string known;
  for (const std::string& form : forms) known += " " + form;
  throw std::invalid_argument(sizes.workload + " has no form \"" + sizes.form + "\"; there are" + known);
}

}  // namespace bench
