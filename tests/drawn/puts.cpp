// Puts of all kinds.
#include <algorithm>

#include "effects.h"
#include "program.h"

namespace scorpio::drawn {

std::optional<size_t> Program::pick_variable(const File& file) {
  const auto& variables = file.contents.variables;
  for (int i = 0; i < 4 && !variables.empty(); ++i) {
    const size_t at = draws_.pick(variables.size());
    if (!variables[at].removed) return at;
  }
  return std::nullopt;
}

scorpio_type Program::draw_type(const Variable& variable) {
  if (variable.type == SCORPIO_TEXT) return SCORPIO_TEXT;
  const auto other = static_cast<scorpio_type>(draws_.between(SCORPIO_INT8, SCORPIO_FLOAT64));
  return draws_.one_in(2) ? other : variable.type;
}

std::vector<Number> Program::numbers_of(const Selection& selection, int rank, scorpio_type type, bool wild) {
  const uint64_t call = ++calls_;
  std::vector<Number> numbers(selection.buffer_elements);
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint64_t h = (static_cast<uint64_t>(rank) * 1000003U + i) * 31U + call * 7919U;
    h = (h ^ (h >> 15U)) * 0x2c1b3c6dU;
    h ^= h >> 13U;
    numbers[i] = 1 + static_cast<Number>(h % 120);
    if (is_float(type) && h % 8 == 1) numbers[i] += 0.5L;
    if (wild && (h >> 20U) % 9 == 0) {
      constexpr Number wild_ones[] = {-1, -3.75L, 300, -70000, 5e9L, -5e18L, 1.7e19L, 1e300L};
      numbers[i] = converted(wild_ones[(h >> 30U) % 8], type, nullptr);
    }
  }
  return numbers;
}

// Of a decomposition for puts: unlimited dimensions can be shorter or longer than they are.
Extents Program::draw_extents(const Contents& contents, const Variable& variable, bool by_record) {
  Extents dims;
  for (size_t d = by_record ? 1 : 0; d < variable.dimensions.size(); ++d) {
    const int64_t extent = variable.extents[d];
    const bool kept = !contents.unlimited(variable, d) || (d == 0 && draws_.one_in(2));
    dims.push_back(kept ? extent : draws_.between(extent > 3 ? extent - 2 : 1, extent + 2));
  }
  return dims;
}

// An access that all ranks know, of a variable that the accesses by the same decomposition before it do not
// name.
std::optional<KnownPut> Program::draw_known(const File& file, const std::vector<KnownPut>& before,
                                            bool wild) {
  const auto picked = pick_variable(file);
  if (!picked) return std::nullopt;
  const Contents& contents = file.contents;
  const Variable& variable = contents.variables[*picked];
  KnownPut one;
  one.variable = *picked;
  one.type = draw_type(variable);
  const size_t ndims = variable.dimensions.size();
  if (ndims == 0 || draws_.one_in(8)) {
    one.root = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
    one.parts.assign(static_cast<size_t>(ranks_), {});
    one.parts[static_cast<size_t>(one.root)] = draw_slabs(draws_, contents, variable, true, 1);
  } else {
    const bool by_record = ndims > 1 && draws_.one_in(2);
    const Extents dims = draw_extents(contents, variable, by_record);
    const int64_t more = contents.unlimited(variable, 0) ? draws_.between(0, 2) : 0;
    if (by_record) one.record = draws_.between(0, std::max<int64_t>(0, variable.extents[0] - 1 + more));
    if (has_no_elements(dims) || api_test::elements_of(dims) > 120000) return std::nullopt;
    const auto last = before.empty() ? nullptr : before.back().decomposition;
    one.decomposition =
        last != nullptr && last->layout.dims == dims ? last : decomposition(file.system, dims);
    const bool named =
        std::ranges::any_of(before, [&](const KnownPut& other) { return other.variable == one.variable; });
    if (one.decomposition == last && (named || before.back().type != one.type)) return std::nullopt;
    one.has_fill = draws_.one_in(6);
    one.fill = variable.type == SCORPIO_TEXT ? '-' : converted(draws_.between(0, 99), one.type, nullptr);
    encode(one.fill, one.type, one.fill_bytes.data());
    for (int r = 0; r < ranks_; ++r)
      one.parts.push_back(part_of(one.decomposition->layout, r, variable, one.record));
  }
  for (int r = 0; r < ranks_; ++r)
    one.numbers.push_back(numbers_of(one.parts[static_cast<size_t>(r)], r, one.type, wild));
  one.data = encoded(one.numbers[static_cast<size_t>(rank_)], one.type);
  return one;
}

scorpio_access Program::access_of_known(const File& file, const KnownPut& one) const {
  const int id = file.contents.variables[one.variable].id;
  if (one.decomposition == nullptr) {
    scorpio_access access = access_of(one.parts[static_cast<size_t>(one.root)], id, one.type,
                                      rank_ == one.root ? one.data.data() : nullptr);
    access.sharing = SCORPIO_ALL_RANKS;
    access.root = one.root;
    return access;
  }
  scorpio_access access =
      scorpio_darray(id, one.decomposition->handle, one.record, one.type, one.data.data());
  if (one.has_fill) access.fill = one.fill_bytes.data();
  return access;
}

void Program::take_effect(Contents& contents, const KnownPut& one) {
  Variable& variable = contents.variables[one.variable];
  if (one.decomposition == nullptr) {
    for (const Selection& part : one.parts) grow_for(contents, one.variable, part);
  } else {
    const Extents& dims = one.decomposition->layout.dims;
    Extents to(dims);
    if (dims.size() < variable.extents.size()) to.insert(to.begin(), one.record + 1);
    for (size_t d = 0; d < to.size(); ++d) to[d] = std::max(to[d], variable.extents[d]);
    contents.reach(variable, to);
    api_test::Layout whole;
    whole.dims = dims;
    whole.index.resize(1);
    for (int64_t g = 0; g < api_test::elements_of(dims) && one.has_fill; ++g) whole.index[0].push_back(g);
    for (const Place& place : part_of(whole, 0, variable, one.record).places)
      put_element(variable, place, one.fill, one.type);
  }
  for (size_t r = 0; r < one.parts.size(); ++r) {
    const Selection& part = one.parts[r];
    for (size_t i = 0; i < part.places.size(); ++i)
      put_element(variable, part.places[i], one.numbers[r][part.buffer[i]], one.type);
  }
}

// Accesses that all ranks know: failures are returned on this rank at once, and on all ranks by the next
// synchronisation point.
void Program::put_known(File& file) {
  tell(file);
  std::vector<KnownPut> all;
  const size_t n = draws_.one_in(3) ? static_cast<size_t>(draws_.between(2, 5)) : 1;
  const bool wild = draws_.one_in(8);
  for (size_t i = 0; i < n; ++i) {
    if (auto one = draw_known(file, all, wild)) all.push_back(std::move(*one));
  }
  if (all.empty()) return;
  std::vector<scorpio_access> accesses;
  std::string what;
  for (const KnownPut& one : all) {
    accesses.push_back(access_of_known(file, one));
    what += " " + file.contents.variables[one.variable].name + " " +
            (one.decomposition == nullptr ? "of all ranks"
                                          : one.decomposition->layout.name + (one.has_fill ? " filled" : ""));
  }
  log("put " + file.name + what);
  const int code = accesses.size() == 1 && draws_.one_in(2)
                       ? scorpio_put(file.handle, accesses.data())
                       : scorpio_put_n(file.handle, static_cast<int>(accesses.size()), accesses.data());
  ends_define_mode(file);
  bool mine = false, any = false;
  for (const KnownPut& one : all) {
    take_effect(file.contents, one);
    for (int r = 0; r < ranks_; ++r) {
      const auto at = static_cast<size_t>(r);
      const bool clipped =
          clips_some(file.contents.variables[one.variable], one.parts[at], one.numbers[at], one.type);
      any = any || clipped;
      mine = mine || (clipped && r == rank_);
    }
  }
  if (of_storage(code)) {
    file.failed_here = true;
  } else if (code != SCORPIO_OK && !(code == SCORPIO_ERR_RANGE && any)) {
    must(code, "put");
  }
  const bool simple = all.size() == 1 && all[0].decomposition != nullptr &&
                      !api_test::has_overlaps(all[0].decomposition->layout);
  if (mine && simple && !faults_ && code != SCORPIO_ERR_RANGE) fail("put: clipped values are not told");
  if (!any) return;
  file.range_possible = true;
  file.range_certain = file.range_certain || !on_all(code != SCORPIO_ERR_RANGE);
}

void Program::put_slabs(File& file) {
  const auto picked = pick_variable(file);
  if (!picked) return;
  tell(file);
  Variable& variable = file.contents.variables[*picked];
  const scorpio_type type = draw_type(variable);
  const bool wild = draws_.one_in(8);
  std::vector<Selection> parts;
  std::vector<std::vector<Number>> numbers;
  for (int r = 0; r < ranks_; ++r) {
    parts.push_back(draw_slabs(draws_, file.contents, variable, true, 3));
    numbers.push_back(numbers_of(parts.back(), r, type, wild));
  }
  const auto& mine = parts[static_cast<size_t>(rank_)];
  const std::vector<std::byte> data = encoded(numbers[static_cast<size_t>(rank_)], type);
  std::string told;
  for (const Selection& part : parts) told += ";" + text_of(part);
  log("put slabs " + file.name + " " + variable.name + " type " + std::to_string(type) + told);
  const scorpio_access access = access_of(mine, variable.id, type, data.data());
  const int code = scorpio_put(file.handle, &access);
  ends_define_mode(file);
  std::vector<Puts> puts;
  for (int r = 0; r < ranks_; ++r) {
    const auto at = static_cast<size_t>(r);
    puts.push_back({r, &parts[at], &numbers[at], type, true});
    if (clips_some(variable, parts[at], numbers[at], type)) file.range_certain = true;
  }
  settle(file, code, "put of hyperslabs");
  put_together(file.contents, *picked, puts);
}

// Of one rank.
void Program::put_shared(File& file) {
  const auto picked = pick_variable(file);
  if (!picked) return;
  tell(file);
  Variable& variable = file.contents.variables[*picked];
  const scorpio_type type = draw_type(variable);
  const int root = static_cast<int>(draws_.pick(static_cast<size_t>(ranks_)));
  const Selection part = draw_slabs(draws_, file.contents, variable, true, 3);
  const std::vector<Number> numbers = numbers_of(part, root, type, draws_.one_in(8));
  const std::vector<std::byte> data = encoded(numbers, type);
  log("put of one rank " + file.name + " " + variable.name + text_of(part));
  scorpio_access access{};
  if (rank_ == root) access = access_of(part, variable.id, type, data.data());
  access.sharing = SCORPIO_ONE_RANK;
  access.root = root;
  const int code = scorpio_put(file.handle, &access);
  ends_define_mode(file);
  if (clips_some(variable, part, numbers, type)) file.range_certain = true;
  settle(file, code, "put of one rank");
  put_together(file.contents, *picked, {{root, &part, &numbers, type, true}});
}

// Accesses of all kinds in one call, which differ between ranks.
void Program::put_mixed(File& file) {
  tell(file);
  struct One {
    size_t variable;
    int rank;
    scorpio_sharing sharing;
    scorpio_type type;
    Selection part;
    std::vector<Number> numbers;
    std::vector<std::byte> data;
  };
  std::vector<One> all;
  const size_t n = static_cast<size_t>(draws_.between(1, 5));
  bool each = false;
  for (size_t i = 0; i < n; ++i) {
    const auto picked = pick_variable(file);
    if (!picked) continue;
    const Variable& variable = file.contents.variables[*picked];
    const scorpio_sharing sharing =
        draws_.of({SCORPIO_EACH_RANK, SCORPIO_EACH_RANK, SCORPIO_ALL_RANKS, SCORPIO_ONE_RANK});
    each = each || sharing != SCORPIO_ALL_RANKS;
    One one{*picked, static_cast<int>(draws_.pick(static_cast<size_t>(ranks_))),
            sharing, draw_type(variable),
            {},      {},
            {}};
    one.part = draw_slabs(draws_, file.contents, variable, true, 3);
    one.numbers = numbers_of(one.part, one.rank, one.type, false);
    one.data = encoded(one.numbers, one.type);
    all.push_back(std::move(one));
  }
  if (!each) return;
  // "The same one of the two cases holds on all ranks": each rank has an access that is not of all ranks.
  std::vector<scorpio_access> accesses;
  for (const One& one : all) {
    const int id = file.contents.variables[one.variable].id;
    scorpio_access access = access_of(one.part, id, one.type, one.data.data());
    access.sharing = one.sharing;
    if (one.sharing == SCORPIO_EACH_RANK && rank_ != one.rank) {
      if (accesses.size() % 2 == 0 && !one.part.start.empty())
        access = access_of(Selection{}, id, one.type, nullptr);
      else
        continue;
    }
    if (one.sharing == SCORPIO_ONE_RANK && rank_ != one.rank) access = scorpio_access{};
    access.sharing = one.sharing;
    if (one.sharing != SCORPIO_EACH_RANK) access.root = one.rank;
    accesses.push_back(access);
  }
  bool own = false;
  for (const scorpio_access& access : accesses) own = own || access.sharing != SCORPIO_ALL_RANKS;
  if (!own && !accesses.empty()) {
    const auto with = std::ranges::find_if(
        file.contents.variables, [](const Variable& v) { return !v.removed && !v.extents.empty(); });
    if (with != file.contents.variables.end())
      own = true, accesses.push_back(access_of(Selection{}, with->id, with->type, nullptr));
  }
  if (!on_all(own || accesses.empty())) return;
  log("put mixed " + file.name);
  const int code = scorpio_put_n(file.handle, static_cast<int>(accesses.size()), accesses.data());
  ends_define_mode(file);
  file.range_possible = true;  // negative numbers do not occur, but 200 does not fit int8 either way
  settle(file, code, "put of mixed accesses");
  std::map<size_t, std::vector<Puts>> by_variable;
  for (const One& one : all)
    by_variable[one.variable].push_back({one.rank, &one.part, &one.numbers, one.type, true});
  for (const auto& [variable, puts] : by_variable) put_together(file.contents, variable, puts);
}

}  // namespace scorpio::drawn
