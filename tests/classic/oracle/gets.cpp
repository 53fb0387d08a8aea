// What the library reads, against the model.
#include <algorithm>
#include <cstring>

#include "api/accesses.h"
#include "program.h"

namespace scorpio::classic_test {

namespace {

constexpr std::byte k_untouched{0x5a};

}  // namespace

// Holes keep what they were.
void Program::check_part(int v, const Layout& layout, int64_t record, const Bytes& got) const {
  const Variable& variable = model_.variable(v);
  const size_t width = variable.type.bytes;
  const Bytes untouched(width, k_untouched);
  for (size_t i = 0; i < layout.of(rank_).size(); ++i) {
    const int64_t g = layout.of(rank_)[i], element = record * variable.slab + g;
    if (g >= 0 && variable.known[static_cast<size_t>(element)] == 0) continue;
    const std::byte* expected = g < 0 ? untouched.data() : model_.element(v, element);
    if (std::memcmp(expected, got.data() + i * width, width) == 0) continue;
    ADD_FAILURE() << variable.name << ", record " << record << ", " << layout.name << ": buffer element " << i
                  << " (" << g << " of the record) is wrong: " << std::to_integer<int>(got[i * width])
                  << ", not " << std::to_integer<int>(expected[0]);
    return;
  }
}

void Program::get() {
  const int v = random_variable();
  const Variable& variable = model_.variable(v);
  if (variable.elements() == 0) return;
  const Parts& parts = random_parts(variable.slab_dims);
  const int64_t record =
      variable.record ? static_cast<int64_t>(pick(static_cast<size_t>(model_.records()))) : 0;
  Bytes got(parts.layout.of(rank_).size() * variable.type.bytes, k_untouched);
  EXPECT_SUCCESS(
      scorpio_get_darray(file_, v, parts.decomp->get(), record, variable.type.scorpio, got.data()));
  check_part(v, parts.layout, record, got);
}

void Program::get_n() {
  const Variable& first = model_.variable(random_variable());
  const Parts& parts = random_parts(first.slab_dims);
  std::vector<int> variables;
  std::vector<int64_t> records;
  std::vector<Bytes> got;
  for (int v = 0; v < static_cast<int>(model_.variables().size()); ++v) {
    const Variable& each = model_.variable(v);
    const bool fits = each.slab_dims == first.slab_dims && each.type.scorpio == first.type.scorpio;
    if (!fits || each.elements() == 0) continue;
    variables.push_back(v);
    records.push_back(each.record ? static_cast<int64_t>(pick(static_cast<size_t>(model_.records()))) : 0);
    got.emplace_back(parts.layout.of(rank_).size() * each.type.bytes, k_untouched);
  }
  std::vector<scorpio_access> accesses;
  for (size_t i = 0; i < variables.size(); ++i) {
    accesses.push_back(
        scorpio_darray(variables[i], parts.decomp->get(), records[i], first.type.scorpio, got[i].data()));
  }
  EXPECT_SUCCESS(api_test::get_n(file_, accesses));
  for (size_t i = 0; i < variables.size(); ++i) check_part(variables[i], parts.layout, records[i], got[i]);
}

// All of a variable, on every rank.
void Program::check_array(int v) {
  const Variable& variable = model_.variable(v);
  const std::vector<int64_t> count = model_.extents(variable), start(count.size(), 0);
  Bytes got(static_cast<size_t>(variable.elements()) * variable.type.bytes, k_untouched);
  const scorpio_access access =
      scorpio_hyperslab(v, start.data(), count.data(), variable.type.scorpio, got.data());
  EXPECT_SUCCESS(scorpio_get(file_, &access));
  for (int64_t i = 0; i < variable.elements(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (variable.known[at] == 0) continue;
    const size_t width = variable.type.bytes;
    if (std::memcmp(model_.element(v, i), got.data() + at * width, width) == 0) continue;
    ADD_FAILURE() << variable.name << ": element " << i << " of " << variable.elements() << " is "
                  << std::to_integer<int>(got[at * width]) << " ..., not "
                  << std::to_integer<int>(*model_.element(v, i));
    return;
  }
}

// Each rank asks for one element of each of some variables.
void Program::get_slabs() {
  std::vector<scorpio_access> accesses;
  std::vector<int64_t> elements;
  std::vector<std::vector<int64_t>> starts;
  std::vector<std::vector<int64_t>> counts;
  std::vector<Bytes> got;
  for (int v = 0; v < static_cast<int>(model_.variables().size()); ++v) {
    const Variable& variable = model_.variable(v);
    const uint64_t draw = random_() + static_cast<uint64_t>(rank_) * 7919;
    if (variable.elements() == 0 || draw % 3 == 0) continue;
    int64_t left = static_cast<int64_t>(draw / 3 % static_cast<uint64_t>(variable.elements()));
    elements.push_back(left);
    const std::vector<int64_t> dims = model_.extents(variable);
    std::vector<int64_t>& start = starts.emplace_back(dims.size());
    counts.emplace_back(dims.size(), 1);
    for (size_t d = dims.size(); d-- > 0; left /= dims[d]) start[d] = left % dims[d];
    got.emplace_back(variable.type.bytes, k_untouched);
    accesses.push_back(scorpio_hyperslab(v, nullptr, nullptr, variable.type.scorpio, nullptr));
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    accesses[i].start = starts[i].data();
    accesses[i].count = counts[i].data();
    accesses[i].data = got[i].data();
  }
  EXPECT_SUCCESS(scorpio_get_n(file_, static_cast<int>(accesses.size()), accesses.data()));
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Variable& variable = model_.variable(accesses[i].variable);
    if (variable.known[static_cast<size_t>(elements[i])] == 0) continue;
    EXPECT_EQ(0, std::memcmp(model_.element(accesses[i].variable, elements[i]), got[i].data(), got[i].size()))
        << variable.name << ", element " << elements[i];
  }
}

// Every record of every variable, in some decomposition.
void Program::check_all() {
  for (int v = 0; v < static_cast<int>(model_.variables().size()); ++v) {
    const Variable& variable = model_.variable(v);
    const Parts& parts = random_parts(variable.slab_dims);
    for (int64_t r = 0; r < (variable.record ? model_.records() : 1); ++r) {
      Bytes got(parts.layout.of(rank_).size() * variable.type.bytes, k_untouched);
      EXPECT_SUCCESS(scorpio_get_darray(file_, v, parts.decomp->get(), r, variable.type.scorpio, got.data()));
      check_part(v, parts.layout, r, got);
    }
  }
}

}  // namespace scorpio::classic_test
