// Gets of all kinds, compared with the model.
#include <algorithm>

#include "effects.h"
#include "program.h"

namespace scorpio::drawn {

void Program::compare(const Variable& variable, const Selection& selection, scorpio_type type,
                      const std::vector<std::byte>& got, const std::string& what) const {
  const size_t size = bytes_of(type);
  std::vector<bool> taken(selection.buffer_elements);
  for (size_t i = 0; i < selection.places.size(); ++i) {
    taken[selection.buffer[i]] = true;
    const Element& element = variable.elements[variable.at(selection.places[i])];
    if (!element.known) continue;
    const Number expected = given(variable, element.number, type, nullptr),
                 is = decoded(&got[selection.buffer[i] * size], type);
    if (is == expected) continue;
    std::string place;
    for (size_t d = 0; d < variable.extents.size(); ++d)
      place += " " + std::to_string(selection.places[i][d]) + "/" + std::to_string(variable.extents[d]);
    fail(what + " " + variable.name + " type " + std::to_string(variable.type) + " as " +
         std::to_string(type) + " element" + place + " is " + std::to_string(is) + ", not " +
         std::to_string(expected) + (variable.filled ? " (filled)" : ""));
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    for (size_t b = 0; !taken[i] && b < size; ++b) {
      if (got[i * size + b] != k_untouched)
        fail(what + " " + variable.name + ": a hole of the buffer was changed");
    }
  }
}

// What each rank gets, and how.
Program::PartsOfGet Program::draw_parts_of_get(File& file, const Variable& variable) {
  PartsOfGet get;
  const auto ranks = static_cast<size_t>(ranks_);
  const size_t way = draws_.pick(5), ndims = variable.dimensions.size();
  get.root = static_cast<int>(draws_.pick(ranks));
  if (way < 2 && ndims > 0 && !has_no_elements(variable.extents)) {
    const bool by_record = ndims > 1 && draws_.one_in(2);
    Extents dims;
    for (size_t d = by_record ? 1 : 0; d < ndims; ++d) {
      const int64_t extent = variable.extents[d];
      const bool less = file.contents.unlimited(variable, d) && extent > 1 && draws_.one_in(3);
      dims.push_back(less ? draws_.between(1, extent) : extent);
    }
    if (by_record) get.record = draws_.between(0, variable.extents[0] - 1);
    get.by = decomposition(file.system, dims);
    for (int r = 0; r < ranks_; ++r) get.parts.push_back(part_of(get.by->layout, r, variable, get.record));
  } else if (way == 2) {
    get.sharing = SCORPIO_ALL_RANKS;
    get.parts.assign(ranks, draw_slabs(draws_, file.contents, variable, false, 2));
  } else if (way == 3) {
    get.sharing = SCORPIO_ONE_RANK;
    get.parts.assign(ranks, {});
    get.parts[static_cast<size_t>(get.root)] = draw_slabs(draws_, file.contents, variable, false, 3);
  } else {
    for (int r = 0; r < ranks_; ++r)
      get.parts.push_back(draw_slabs(draws_, file.contents, variable, false, 3));
  }
  return get;
}

void Program::get(File& file) {
  const auto picked = pick_variable(file);
  if (!picked) return;
  tell(file);
  const Variable& variable = file.contents.variables[*picked];
  const scorpio_type type = draw_type(variable);
  const PartsOfGet how = draw_parts_of_get(file, variable);
  const Selection& mine = how.parts[static_cast<size_t>(rank_)];
  std::vector<std::byte> got(mine.buffer_elements * bytes_of(type) + 1, k_untouched);
  scorpio_access access = how.by != nullptr
                              ? scorpio_darray(variable.id, how.by->handle, how.record, type, got.data())
                              : access_of(mine, variable.id, type, got.data());
  access.sharing = how.sharing;
  if (how.sharing == SCORPIO_ONE_RANK) access.root = how.root;
  log("get " + file.name + " " + variable.name + " as " + std::to_string(type) +
      (how.by != nullptr ? " " + how.by->layout.name
                         : text_of(mine) + " sharing " + std::to_string(how.sharing)));
  const int code =
      draws_.one_in(3) ? scorpio_get_n(file.handle, 1, &access) : scorpio_get(file.handle, &access);
  ends_define_mode(file);
  for (const Selection& part : how.parts) {
    if (clips(variable, part, type, file.range_possible)) file.range_certain = true;
  }
  settle(file, code, "get");
  compare(variable, mine, type, got, "get of " + file.name);
}

void Program::get_mixed(File& file) {
  tell(file);
  struct One {
    size_t variable;
    std::vector<Selection> parts;
    scorpio_type type;
    std::vector<std::byte> got;
    std::shared_ptr<Decomposition> by;
  };
  std::vector<One> all;
  std::vector<scorpio_access> accesses;
  const size_t n = draws_.pick(6);
  const bool alike = draws_.one_in(2);  // all of them are by decompositions
  for (size_t i = 0; i < n; ++i) {
    const auto picked = pick_variable(file);
    if (!picked) continue;
    const Variable& variable = file.contents.variables[*picked];
    One one{*picked, {}, draw_type(variable), {}, nullptr};
    std::shared_ptr<Decomposition>& by = one.by;
    if (alike) {
      if (variable.extents.empty() || has_no_elements(variable.extents)) continue;
      if (std::ranges::any_of(all, [&](const One& other) { return other.variable == *picked; })) continue;
      by = decomposition(file.system, variable.extents);
    }
    for (int r = 0; r < ranks_; ++r)
      one.parts.push_back(alike ? part_of(by->layout, r, variable, 0)
                                : draw_slabs(draws_, file.contents, variable, false, 3));
    const Selection& mine = one.parts[static_cast<size_t>(rank_)];
    one.got.assign(mine.buffer_elements * bytes_of(one.type) + 1, k_untouched);
    all.push_back(std::move(one));
    const auto held = all.back().by;
    accesses.push_back(
        held != nullptr ? scorpio_darray(variable.id, held->handle, 0, all.back().type, all.back().got.data())
                        : access_of(all.back().parts[static_cast<size_t>(rank_)], variable.id,
                                    all.back().type, all.back().got.data()));
  }
  if (all.empty()) return;
  // The parts move with their vector; the arrays of the accesses stay where they are.
  log("get " + std::to_string(all.size()) + " of " + file.name);
  const int code = scorpio_get_n(file.handle, static_cast<int>(accesses.size()), accesses.data());
  ends_define_mode(file);
  for (const One& one : all) {
    for (const Selection& part : one.parts) {
      if (clips(file.contents.variables[one.variable], part, one.type, file.range_possible))
        file.range_certain = true;
    }
  }
  settle(file, code, "get of several");
  for (const One& one : all)
    compare(file.contents.variables[one.variable], one.parts[static_cast<size_t>(rank_)], one.type, one.got,
            "get_n of " + file.name);
}

void Program::move_scalar(File& file, Variable& variable) {
  const scorpio_type type = draw_type(variable);
  Selection one;
  one.places.push_back({});
  one.buffer.push_back(0);
  one.buffer_elements = 1;
  if (file.writable) {
    const std::vector<Number> numbers = numbers_of(one, 0, type, false);
    const auto data = encoded(numbers, type), other = encoded(numbers_of(one, 1, type, false), type);
    log("put_scalar " + file.name + " " + variable.name);
    const int code =
        scorpio_put_scalar(file.handle, variable.id, type, rank_ == 0 ? data.data() : other.data());
    ends_define_mode(file);
    if (of_storage(code)) {
      file.failed_here = true;
    } else {
      must(code, "put_scalar");
    }
    put_element(variable, {}, numbers[0], type);
  }
  std::vector<std::byte> got(9, k_untouched);
  log("get_scalar " + file.name + " " + variable.name);
  const int code = scorpio_get_scalar(file.handle, variable.id, type, got.data());
  ends_define_mode(file);
  if (clips(variable, one, type, file.range_possible)) file.range_certain = true;
  settle(file, code, "get_scalar");
  compare(variable, one, type, got, "get_scalar");
}

// What a put would cost; moves nothing, and ends define mode.
void Program::explain(File& file) {
  const auto picked = pick_variable(file);
  if (!picked) return;
  tell(file);
  Variable& variable = file.contents.variables[*picked];
  if (variable.extents.empty()) return move_scalar(file, variable);
  if (has_no_elements(variable.extents)) return;
  const auto by = decomposition(file.system, variable.extents);
  std::vector<char> text(20000);
  log("explain " + file.name + " " + variable.name);
  const int code =
      scorpio_explain_darray(file.handle, variable.id, by->handle, 0, text.data(), text.size(), nullptr);
  ends_define_mode(file);
  if (faults_) return;
  must(code, "explain");
  if (!api_test::equal_on_all(text.data())) fail("explain: texts differ");
}

}  // namespace scorpio::drawn
