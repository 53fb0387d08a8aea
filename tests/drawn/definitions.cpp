// Definitions that are drawn: dimensions, variables with their storage, attributes; and what undoes them.
#include <algorithm>

#include "program.h"

namespace scorpio::drawn {

void Program::begin_definitions(File& file) {
  if (!file.contents.classic() || file.defining) return;
  log("define_begin " + file.name);
  const int code = scorpio_define_begin(file.handle);
  if (of_storage(code)) settle(file, code, "define_begin");
  carry_out_all(file);
  settle(file, code, "define_begin");
  file.defining = file.named = true;
}

void Program::define(File& file) {
  if (!file.writable) return;
  tell(file);
  begin_definitions(file);
  if (!file.contents.eager && draws_.one_in(6)) undo_definitions(file);
  const size_t n = static_cast<size_t>(draws_.between(1, 3));
  for (size_t i = 0; i < n; ++i) {
    const size_t what = draws_.pick(12);
    if (what < 2)
      define_dimension(file);
    else if (what < 8)
      define_variable(file);
    else if (what < 10)
      define_attribute(file);
    else if (what < 11)
      remove_or_rename(file);
    else if (!file.contents.eager) {
      file.fill_mode = draws_.one_in(2);
      log("fill_set " + file.name + (file.fill_mode ? " 1" : " 0"));
      must(scorpio_file_fill_set(file.handle, file.fill_mode ? 1 : 0, nullptr), "fill_set");
    }
  }
  if (file.contents.classic() && draws_.one_in(2)) {
    log("define_end " + file.name);
    settle(file, scorpio_define_end(file.handle), "define_end");
    file.defining = false;
  }
}

// Definitions that are kept, changed, and as they were again.
void Program::undo_definitions(File& file) {
  log("keep and undo " + file.name);
  const Contents before = file.contents;
  must(scorpio_definitions_keep(file.handle), "definitions_keep");
  define_dimension(file);
  define_variable(file);
  define_attribute(file);
  remove_or_rename(file);
  must(scorpio_definitions_undo(file.handle), "definitions_undo");
  file.contents = before;
  check_shapes(file);
}

void Program::define_dimension(File& file) {
  Contents& contents = file.contents;
  const bool one_only = contents.classic() || contents.classic_model;
  const bool has_one =
      std::ranges::any_of(contents.dimensions, [](const Dimension& d) { return d.unlimited; });
  Dimension dimension;
  dimension.name = "d" + std::to_string(contents.dimensions.size());
  dimension.unlimited = !contents.eager && !(one_only && has_one) && draws_.one_in(3);
  dimension.length = dimension.unlimited ? 0
                     : draws_.one_in(12) ? draws_.between(100, 3000)
                                         : draws_.between(1, 30);
  int id = -1;
  log("dimension " + file.name + " " + dimension.name + " " +
      std::to_string(dimension.unlimited ? -1 : dimension.length));
  must(scorpio_dimension_define(file.handle, dimension.name.c_str(),
                                dimension.unlimited ? SCORPIO_UNLIMITED : dimension.length, &id),
       "dimension_define");
  if (static_cast<size_t>(id) != contents.dimensions.size()) fail("dimension id");
  contents.dimensions.push_back(dimension);
}

void Program::define_variable(File& file) {
  Contents& contents = file.contents;
  if (contents.dimensions.empty() || draws_.one_in(8)) define_dimension(file);
  static constexpr scorpio_type k_types[] = {SCORPIO_INT8,    SCORPIO_INT16, SCORPIO_INT32, SCORPIO_FLOAT32,
                                             SCORPIO_FLOAT64, SCORPIO_TEXT,  SCORPIO_UINT8, SCORPIO_UINT16,
                                             SCORPIO_UINT32,  SCORPIO_INT64, SCORPIO_UINT64};
  const bool old_types = contents.format == "cdf1" || contents.format == "cdf2" || contents.classic_model;
  Variable variable;
  variable.type = k_types[draws_.pick(old_types ? 6 : 11)];
  variable.unsigned_too =
      variable.type == SCORPIO_INT8 && (contents.format == "cdf1" || contents.format == "cdf2");
  variable.name = "v" + std::to_string(contents.variables.size());
  if (!contents.classic() && !contents.classic_model && draws_.one_in(4))
    variable.name = "g" + std::to_string(draws_.pick(2)) + "/" + variable.name;
  const size_t ndims = draws_.one_in(10) ? 0 : static_cast<size_t>(draws_.between(1, 3));
  std::vector<int> ids;
  int64_t n = 1;
  for (size_t d = 0; d < ndims; ++d) {
    const size_t at = draws_.pick(contents.dimensions.size());
    const Dimension& dimension = contents.dimensions[at];
    if (dimension.unlimited && d > 0 && contents.classic()) continue;
    if (dimension.unlimited && std::ranges::count(variable.dimensions, at) > 0) continue;
    if (!dimension.unlimited && n * dimension.length > 40000) continue;
    n *= dimension.unlimited ? std::max<int64_t>(dimension.length, 8) : dimension.length;
    if (n > 200000) break;
    variable.dimensions.push_back(at);
    ids.push_back(static_cast<int>(at));
  }
  log("variable " + file.name + " " + variable.name + " type " + std::to_string(variable.type));
  must(scorpio_variable_define_on(file.handle, variable.name.c_str(), variable.type,
                                  static_cast<int>(ids.size()), ids.data(), &variable.id),
       "variable_define_on");
  variable.filled = file.fill_mode;
  variable.fill = default_fill(variable.type);
  if (!contents.eager && draws_.one_in(4)) {
    variable.filled = !draws_.one_in(5);
    std::byte value[8];
    if (variable.filled && draws_.one_in(2)) {
      variable.fill =
          variable.type == SCORPIO_TEXT ? 'x' : converted(draws_.between(-9, 120), variable.type, nullptr);
      encode(variable.fill, variable.type, value);
      must(scorpio_variable_fill_define(file.handle, variable.id, 1, value), "fill_define");
    } else {
      must(scorpio_variable_fill_define(file.handle, variable.id, variable.filled ? 1 : 0, nullptr),
           "fill_define");
    }
  }
  log("filled " + std::to_string(variable.filled) + " with " + std::to_string(variable.fill));
  if (!contents.classic() && !contents.eager && !variable.dimensions.empty()) define_chunks(file, variable);
  if (!contents.classic() && !contents.eager && variable.type != SCORPIO_TEXT && draws_.one_in(6)) {
    must(scorpio_variable_define_endianness(file.handle, variable.id, SCORPIO_ENDIAN_BIG), "endianness");
  }
  variable.grow(contents.extents(variable));
  contents.variables.push_back(std::move(variable));
}

void Program::define_chunks(File& file, Variable& variable) {
  const bool must_be = std::ranges::any_of(variable.dimensions,
                                           [&](size_t d) { return file.contents.dimensions[d].unlimited; });
  bool chunked = must_be;
  if (draws_.one_in(2)) {
    std::vector<int64_t> chunk;
    for (const size_t d : variable.dimensions) {
      const Dimension& dimension = file.contents.dimensions[d];
      chunk.push_back(
          draws_.one_in(5)
              ? 0
              : draws_.between(1, dimension.unlimited ? 5 : std::min<int64_t>(dimension.length, 40)));
    }
    must(scorpio_variable_define_chunks(file.handle, variable.id, chunk.data()), "define_chunks");
    chunked = true;
  }
  if (!chunked || !draws_.one_in(2)) return;
  std::vector<int> filters, parameters;
  const auto add = [&](int filter, int parameter) {
    filters.push_back(filter);
    parameters.push_back(parameter);
  };
  if (draws_.one_in(2)) add(2, 0);
  if (draws_.one_in(2)) add(1, static_cast<int>(draws_.between(0, 4)));
  if (draws_.one_in(3)) add(3, 0);
  must(scorpio_variable_define_filters(file.handle, variable.id, static_cast<int>(filters.size()),
                                       filters.data(), parameters.data()),
       "define_filters");
}

void Program::define_attribute(File& file) {
  Contents& contents = file.contents;
  Attributes* to = &contents.attributes;
  int id = SCORPIO_GLOBAL;
  if (!contents.variables.empty() && draws_.one_in(2)) {
    Variable& variable = contents.variables[draws_.pick(contents.variables.size())];
    if (!variable.removed) to = &variable.attributes, id = variable.id;
  }
  const std::string name = "a" + std::to_string(draws_.pick(5));
  log("attribute " + file.name + " " + name);
  if (to->contains(name) && draws_.one_in(3)) {
    must(scorpio_attribute_remove(file.handle, id, name.c_str()), "attribute_remove");
    to->erase(name);
    return;
  }
  Attribute attribute;
  if (draws_.one_in(2)) {
    const size_t length = draws_.one_in(4) ? draws_.pick(5000) : draws_.pick(30);
    for (size_t i = 0; i < length; ++i) attribute.text += static_cast<char>('a' + (i + draws_.pick(3)) % 26);
    must(scorpio_attribute_put_text(file.handle, id, name.c_str(), attribute.text.c_str()),
         "attribute_put_text");
  } else {
    attribute.type = SCORPIO_FLOAT64;
    std::vector<double> values(static_cast<size_t>(draws_.between(1, 20)));
    for (double& value : values) {
      value = static_cast<double>(draws_.between(-1000, 1000)) / 8;
      attribute.numbers.push_back(value);
    }
    must(scorpio_attribute_put_values(file.handle, id, name.c_str(), SCORPIO_FLOAT64,
                                      static_cast<int64_t>(values.size()), values.data()),
         "attribute_put_values");
  }
  (*to)[name] = attribute;
}

void Program::remove_or_rename(File& file) {
  Contents& contents = file.contents;
  if (contents.variables.empty() || contents.eager) return;
  const size_t at = draws_.pick(contents.variables.size());
  Variable& variable = contents.variables[at];
  if (variable.removed ||
      std::ranges::any_of(file.requests, [&](const auto& each) { return each->variable == at; }))
    return;
  if (!contents.classic() && draws_.one_in(2)) {
    log("remove " + file.name + " " + variable.name);
    must(scorpio_object_remove(file.handle, variable.name.c_str()), "object_remove");
    variable.removed = true;
    return;
  }
  const size_t slash = variable.name.find('/');
  const std::string group = slash == std::string::npos ? "" : variable.name.substr(0, slash + 1);
  const std::string name = "r" + std::to_string(step_) + "_" + std::to_string(at);
  log("rename " + file.name + " " + variable.name + " " + name);
  must(scorpio_variable_rename(file.handle, variable.id, name.c_str()), "variable_rename");
  variable.name = group + name;
}

}  // namespace scorpio::drawn
