// Distributed puts, and arrays of one rank.
#include <algorithm>

#include "api/accesses.h"
#include "api/reference.h"
#include "program.h"

namespace scorpio::classic_test {

using api_test::datum;

namespace {

int number(int rank, size_t i, uint64_t call) { return datum<int>(rank, static_cast<int64_t>(i), call); }

}  // namespace

// Two or three decompositions of each shape are made in the course of a program.
const Parts& Program::random_parts(const Extents& slab_dims) {
  std::deque<Parts>& all = parts_[slab_dims];
  if (all.size() < 3 && (all.empty() || one_in(2))) {
    Layout layout = slab_dims.empty() || one_in(4)
                        ? api_test::grid_layout(slab_dims, api_test::shuffled(ranks_, random_))
                        : api_test::random_layout(slab_dims, ranks_, random_);
    auto decomp = std::make_unique<Decomp>(system_, layout);
    all.push_back({std::move(layout), std::move(decomp)});
    return all.back();
  }
  return any_of(all);
}

scorpio_type Program::random_memory(const Type& type) {
  if (type.scorpio == SCORPIO_TEXT) return SCORPIO_TEXT;
  if (one_in(2)) return type.scorpio;
  for (;;) {
    const scorpio_type other = random_type(5).scorpio;
    if (other != SCORPIO_TEXT) return other;
  }
}

// Any that there is, or one that leaves others out.
int64_t Program::random_record(const Variable& variable) {
  if (!variable.record) return 0;
  return static_cast<int64_t>(pick(static_cast<size_t>(std::min<int64_t>(model_.records(), 20)) + 3));
}

int Program::random_variable() { return static_cast<int>(pick(model_.variables().size())); }

bool Program::covers_nothing(const Layout& layout) const {
  for (const auto& part : layout.index) {
    if (std::any_of(part.begin(), part.end(), [](int64_t g) { return g >= 0; })) return false;
  }
  return true;
}

// The highest rank's value counts, and of a rank's own elements the last.
std::vector<Change> Program::changes_of(int v, const Layout& layout, int64_t record, uint64_t call) const {
  std::vector<Change> changes;
  const int64_t first = record * model_.variable(v).slab;
  for (size_t r = 0; r < layout.index.size(); ++r) {
    for (size_t i = 0; i < layout.index[r].size(); ++i) {
      const int64_t g = layout.index[r][i];
      if (g >= 0) changes.emplace_back(first + g, number(static_cast<int>(r), i, call));
    }
  }
  return changes;
}

Bytes Program::buffer_of(const Layout& layout, scorpio_type memory, uint64_t call) const {
  Bytes buffer;
  for (size_t i = 0; i < layout.of(rank_).size(); ++i) append(buffer, memory, number(rank_, i, call));
  return buffer;
}

void Program::put() {
  const int v = random_variable();
  const Variable& variable = model_.variable(v);
  const Parts& parts = random_parts(variable.slab_dims);
  const int64_t record = random_record(variable);
  if (covers_nothing(parts.layout)) return;
  const uint64_t call = ++calls_;
  const scorpio_type memory = random_memory(variable.type);
  const Bytes data = buffer_of(parts.layout, memory, call);
  EXPECT_SUCCESS(scorpio_put_darray(file_, v, parts.decomp->get(), record, memory, data.data()));
  model_.put(v, changes_of(v, parts.layout, record, call));
}

// All variables of one shape, or some of them, perhaps several records of one.
void Program::put_n() {
  const Extents slab_dims = model_.variable(random_variable()).slab_dims;
  const bool text = one_in(2);
  const Parts& parts = random_parts(slab_dims);
  if (covers_nothing(parts.layout)) return;
  std::vector<int> variables;
  std::vector<int64_t> records;
  for (int v = 0; v < static_cast<int>(model_.variables().size()); ++v) {
    const Variable& each = model_.variable(v);
    if (each.slab_dims != slab_dims || (each.type.scorpio == SCORPIO_TEXT) != text) continue;
    const int64_t record = random_record(each);
    for (int64_t more = each.record ? static_cast<int64_t>(pick(3)) : 0; more >= 0; --more) {
      variables.push_back(v);
      records.push_back(each.record ? record + more : 0);
    }
  }
  if (variables.empty()) return;
  std::vector<Bytes> data, fill_values;
  std::vector<scorpio_access> accesses;
  const size_t filling = pick(3);  // none, all, some
  for (size_t i = 0; i < variables.size(); ++i) {
    const scorpio_type memory = text ? SCORPIO_TEXT : random_memory(model_.variable(variables[i]).type);
    data.push_back(buffer_of(parts.layout, memory, calls_ + 1 + i));
    append(fill_values.emplace_back(), memory, static_cast<int>(50 + i % 50));
    accesses.push_back(
        scorpio_darray(variables[i], parts.decomp->get(), records[i], memory, data.back().data()));
    if (filling == 1 || (filling == 2 && one_in(2))) accesses.back().fill = fill_values.back().data();
  }
  EXPECT_SUCCESS(api_test::put_n(file_, accesses));
  for (size_t i = 0; i < variables.size(); ++i) {
    const int64_t slab = model_.variable(variables[i]).slab;
    std::vector<Change> changes;
    for (int64_t g = 0; g < slab && accesses[i].fill != nullptr; ++g) {
      changes.emplace_back(records[i] * slab + g, static_cast<int>(50 + i % 50));
    }
    const auto parts_of_ranks = changes_of(variables[i], parts.layout, records[i], ++calls_);
    changes.insert(changes.end(), parts_of_ranks.begin(), parts_of_ranks.end());
    model_.put(variables[i], changes);
  }
}

// A random box that one rank has, or all.
void Program::put_slab() {
  const int v = random_variable();
  const Variable& variable = model_.variable(v);
  std::vector<int64_t> dims = model_.extents(variable);
  if (variable.record) dims[0] = std::min<int64_t>(dims[0], 20) + 3;
  std::vector<int64_t> start, count;
  for (const int64_t n : dims) {
    start.push_back(static_cast<int64_t>(pick(static_cast<size_t>(n))));
    count.push_back(1 +
                    static_cast<int64_t>(pick(static_cast<size_t>(std::min<int64_t>(n - start.back(), 6)))));
  }
  const Extents ones(dims.size(), 1);
  const std::vector<int64_t> elements = api_test::slab_elements(dims, {start, ones, count, ones});
  const uint64_t call = ++calls_;
  const scorpio_type memory = random_memory(variable.type);
  Bytes data;
  std::vector<Change> changes;
  for (size_t i = 0; i < elements.size(); ++i) {
    append(data, memory, number(0, i, call));
    changes.emplace_back(elements[i], number(0, i, call));
  }
  scorpio_access access = scorpio_hyperslab(v, start.data(), count.data(), memory, data.data());
  const int root = static_cast<int>(pick(static_cast<size_t>(ranks_)));
  if (one_in(3)) {
    if (root != rank_) access.data = nullptr;
    EXPECT_SUCCESS(api_test::put_of_all(file_, access, root));
  } else {
    EXPECT_SUCCESS(api_test::put_of_rank(file_, root, root == rank_ ? access : scorpio_access{}));
  }
  model_.put(v, changes);
}

}  // namespace scorpio::classic_test
