// Dimensions, variables, attributes, names.
#include <algorithm>

#include "program.h"

namespace scorpio::classic_test {

namespace {

// Whole variables are kept small: what is looked for are wrong places, not slowness.
constexpr int64_t k_most_elements = 3000;
// But for some that need several rounds of staging.
constexpr int64_t k_most_of_large = 20000;

size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

}  // namespace

// No other name is like it; of that many bytes if they suffice.
std::string Program::new_name(size_t bytes) {
  std::string name = "n" + std::to_string(names_++);
  if (name.size() + 2 <= bytes && one_in(3)) name += "\u00e9";
  while (name.size() < bytes) name += "abc-_.+@ x"[pick(9)];
  if (name.back() == ' ') name.back() = '_';
  return name;
}

void Program::define_dimension(bool unlimited) {
  const int64_t length = 1 + static_cast<int64_t>(large_ && one_in(3) ? 500 + pick(2000) : pick(13));
  const Dimension dimension{new_name(2 + pick(20)), unlimited ? -1 : length};
  int id = -1;
  EXPECT_SUCCESS(scorpio_dimension_define(file_, dimension.name.c_str(), dimension.length, &id));
  EXPECT_EQ(model_.add_dimension(dimension), id);
}

void Program::define_variable() {
  int unlimited = -1;
  std::vector<int> fixed;
  for (size_t d = 0; d < model_.dims().size(); ++d) {
    if (model_.dims()[d].length < 0) {
      unlimited = static_cast<int>(d);
    } else {
      fixed.push_back(static_cast<int>(d));
    }
  }
  const auto& there = model_.variables();
  const bool has_records =
      std::any_of(there.begin(), there.end(), [](const Variable& v) { return v.record; });
  std::vector<int> dims;
  const bool records = unlimited >= 0 && !one_in(3) && !(single_record_variable_ && has_records);
  if (records) dims.push_back(unlimited);
  int64_t elements = 1;
  for (size_t more = pick(records ? 4 : 5); more > 0 && !fixed.empty(); --more) {
    const int d = any_of(fixed);
    if (elements * model_.extent(d) > (large_ ? k_most_of_large : k_most_elements)) continue;
    elements *= model_.extent(d);
    dims.push_back(d);
  }
  const std::vector<Type> types = types_of(model_.version());
  const Type type = records && single_record_variable_ ? types[pick(3)] : types[pick(types.size())];
  const std::string name = new_name(2 + pick(20));
  int id = -1;
  ASSERT_SUCCESS(scorpio_variable_define_on(file_, name.c_str(), type.scorpio, static_cast<int>(dims.size()),
                                            dims.data(), &id));
  EXPECT_EQ(model_.add_variable(name, type, dims, fill_mode_), id);
  if (one_in(3)) define_fill(id);
  while (one_in(3)) put_attribute(id);
}

void Program::define_fill(int v) {
  const bool filled = !one_in(3);
  Bytes value;
  if (one_in(2)) append(value, model_.variable(v).type.scorpio, static_cast<int>(1 + pick(100)));
  EXPECT_SUCCESS(
      scorpio_variable_fill_define(file_, v, filled ? 1 : 0, value.empty() ? nullptr : value.data()));
  model_.define_fill(v, filled, value);
}

Type Program::random_type(int version) {
  const std::vector<Type> types = types_of(version);
  return types[pick(types.size())];
}

Attribute Program::random_attribute() {
  Attribute attribute{new_name(2 + pick(12)), random_type(model_.version()), {}};
  for (size_t n = pick(9); n > 0; --n) {
    append(attribute.value, attribute.type.scorpio, static_cast<int>(1 + pick(100)));
  }
  return attribute;
}

void Program::put_attribute(int variable, const Attribute& attribute) {
  const auto elements = static_cast<int64_t>(attribute.value.size() / attribute.type.bytes);
  const bool one_text = attribute.type.scorpio == SCORPIO_TEXT && elements > 0;
  const bool scalar = one_text || (elements == 1 && one_in(2));
  EXPECT_SUCCESS(scorpio_attribute_put(file_, variable, attribute.name.c_str(), attribute.type.scorpio,
                                       one_text ? attribute.value.size() : 1, scalar ? 0 : 1, &elements,
                                       attribute.type.scorpio, attribute.value.data()))
      << attribute.name;
  model_.put_attribute(variable, attribute);
}

// In data mode: a value that takes no more room, perhaps of another type.
void Program::shrink_attribute(int variable) {
  const std::vector<Attribute>& all = model_.attributes(variable);
  if (all.empty()) return;
  const Attribute& old = any_of(all);
  Attribute next = random_attribute();
  next.name = old.name;
  if (old.name == "_FillValue") {
    next.type = old.type;
    next.value.clear();
    append(next.value, next.type.scorpio, static_cast<int>(1 + pick(100)));
  }
  const size_t room = padded(old.value.size());
  next.value.resize(std::min(next.value.size(), room) / next.type.bytes * next.type.bytes);
  put_attribute(variable, next);
}

void Program::remove_attribute(int variable) {
  const std::vector<Attribute>& all = model_.attributes(variable);
  if (all.empty()) return;
  const size_t i = pick(all.size());
  EXPECT_SUCCESS(scorpio_attribute_remove(file_, variable, all[i].name.c_str()));
  model_.remove_attribute(variable, i);
}

// In data mode names get no longer.
void Program::rename_something(bool defining) {
  const auto next_name = [&](const std::string& old) {
    return new_name(defining ? 2 + pick(30) : 1 + pick(old.size()));
  };
  const auto fits = [&](const std::string& name, const std::string& old) {
    return defining || padded(name.size()) <= padded(old.size());
  };
  if (!defining) model_.begin_definitions();
  const auto d = static_cast<int>(pick(model_.dims().size()));
  const std::string old_dim = model_.dims()[static_cast<size_t>(d)].name, dim = next_name(old_dim);
  if (fits(dim, old_dim)) {
    EXPECT_SUCCESS(scorpio_dimension_rename(file_, d, dim.c_str()));
    model_.rename_dimension(d, dim);
  }
  const auto v = static_cast<int>(pick(model_.variables().size() + 1)) - 1;
  const std::vector<Attribute>& all = model_.attributes(v);
  if (!all.empty()) {
    const size_t i = pick(all.size());
    const std::string old = all[i].name, name = next_name(old);
    if (fits(name, old) && old != "_FillValue") {
      EXPECT_SUCCESS(scorpio_attribute_rename(file_, v, old.c_str(), name.c_str()));
      model_.rename_attribute(v, i, name);
    }
  }
  if (v >= 0) {
    const std::string old = model_.variable(v).name, name = next_name(old);
    if (fits(name, old)) {
      EXPECT_SUCCESS(scorpio_variable_rename(file_, v, name.c_str()));
      model_.rename_variable(v, name);
    }
  }
  if (!defining) model_.end_definitions();
}

void Program::define_more() {
  const bool first = model_.dims().empty();
  if (first) {
    for (size_t n = pick(3); n > 0; --n) define_dimension(false);
    if (!one_in(5)) define_dimension(true);
    for (size_t n = 1 + pick(3); n > 0; --n) define_dimension(false);
  }
  for (size_t n = (first ? 1 : 0) + pick(5); n > 0; --n) {
    const size_t what = first ? 0 : pick(8);
    const auto v = static_cast<int>(pick(model_.variables().size() + 1)) - 1;
    if (one_in(4)) {
      fill_mode_ = !fill_mode_;
      int previous = -1;
      EXPECT_SUCCESS(scorpio_file_fill_set(file_, fill_mode_ ? 1 : 0, &previous));
      EXPECT_EQ(fill_mode_ ? 0 : 1, previous);
    }
    if (what < 3) {
      define_variable();
      put_attribute(-1);
    } else if (what == 3) {
      define_dimension(false);
    } else if (what == 4) {
      remove_attribute(v);
    } else if (what == 5) {
      rename_something(true);
    } else {
      put_attribute(v);
    }
  }
}

// By the call for it, or by the first that moves data; requests may be made before.
void Program::enter_data_mode() {
  const size_t how = pick(4);
  if (how == 3) return post_and_define();
  if (how == 0) {
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  model_.end_definitions();
  if (how == 1) put_slab();
  if (how == 2) get_slab();
}

void Program::redefine() {
  if (model_.variables().size() > 12) return;
  EXPECT_SUCCESS(scorpio_define_begin(file_));
  model_.begin_definitions();
  define_more();
  if (one_in(2)) return post_and_define();
  EXPECT_SUCCESS(scorpio_define_end(file_));
  model_.end_definitions();
}

void Program::check_attributes(int v) {
  const std::vector<Attribute>& expected = model_.attributes(v);
  int count = -1;
  EXPECT_SUCCESS(scorpio_attribute_count(file_, v, &count));
  ASSERT_EQ(static_cast<int>(expected.size()), count);
  for (int i = 0; i < count; ++i) {
    const Attribute& attribute = expected[static_cast<size_t>(i)];
    char name[300];
    EXPECT_SUCCESS(scorpio_attribute_name(file_, v, i, name, sizeof name, nullptr));
    EXPECT_EQ(attribute.name, name);
    scorpio_type type{};
    EXPECT_SUCCESS(scorpio_attribute_inquire(file_, v, name, &type, nullptr, nullptr, nullptr, 0));
    EXPECT_EQ(attribute.type.scorpio, type);
    Bytes got(attribute.value.size());
    EXPECT_SUCCESS(scorpio_attribute_get(file_, v, name, type, got.data(), got.size()));
    EXPECT_EQ(attribute.value, got);
  }
}

void Program::check_definitions() {
  int count = -1;
  EXPECT_SUCCESS(scorpio_dimension_count(file_, &count));
  ASSERT_EQ(static_cast<int>(model_.dims().size()), count);
  for (int d = 0; d < count; ++d) {
    char name[300];
    int64_t extent = -1;
    int unlimited = -1;
    EXPECT_SUCCESS(scorpio_dimension_inquire(file_, d, name, sizeof name, nullptr, &extent, &unlimited));
    EXPECT_EQ(model_.dims()[static_cast<size_t>(d)].name, name);
    EXPECT_EQ(model_.extent(d), extent) << name;
    EXPECT_EQ(model_.dims()[static_cast<size_t>(d)].length < 0 ? 1 : 0, unlimited);
  }
  EXPECT_SUCCESS(scorpio_file_variables(file_, nullptr, 0, &count));
  ASSERT_EQ(static_cast<int>(model_.variables().size()), count);
  for (int v = 0; v < count; ++v) {
    const Variable& expected = model_.variable(v);
    int id = -1, ndims = -1, ids[8];
    int64_t dims[8];
    scorpio_type type{};
    EXPECT_SUCCESS(scorpio_variable_find(file_, expected.name.c_str(), &id));
    EXPECT_EQ(v, id);
    EXPECT_SUCCESS(scorpio_variable_inquire(file_, v, &type, nullptr, &ndims, dims, 8));
    EXPECT_EQ(expected.type.scorpio, type);
    EXPECT_EQ(model_.extents(expected), Extents(dims, dims + ndims));
    EXPECT_SUCCESS(scorpio_variable_dimensions(file_, v, ids, 8));
    EXPECT_EQ(expected.dims, std::vector<int>(ids, ids + ndims));
    check_attributes(v);
  }
  check_attributes(-1);
}

}  // namespace scorpio::classic_test
