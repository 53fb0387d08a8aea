#include "pio/decompositions/layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/compared_words.h"
#include "common/fingerprint.h"
#include "common/limited_waits.h"
#include "common/volume.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"

namespace scorpio_pio {

using scorpio_compat::Fingerprint;
using scorpio_compat::volume;

std::vector<int64_t> Layout::index() const {
  std::vector<int64_t> all(static_cast<size_t>(elements));
  (void)scorpio_decomp_index(native, 0, elements, all.data());
  return all;
}

// ---- the arguments of a rank ----
namespace {

int check(const LayoutArguments& arguments) {
  for (const int64_t extent : arguments.extents) {
    if (extent <= 0)
      return fail(PIO_EINVAL, "a global extent is ", extent,
                  "; give the extents of the array without its unlimited dimension, each at least 1");
  }
  const std::optional<int64_t> all = volume(arguments.extents);
  if (arguments.extents.empty() || !all)
    return fail(PIO_EINVAL, "the array has ", arguments.extents.size(),
                " dimensions, or more elements than 2^63 - 1; give 1 dimension or more, of smaller extents");
  if (!arguments.start.empty()) {
    for (size_t d = 0; d < arguments.extents.size(); ++d) {
      const int64_t start = arguments.start[d], count = arguments.count[d];
      if (start < 0 || count < 0 || count > arguments.extents[d] || start > arguments.extents[d] - count)
        return fail(PIO_EINVAL, "the block begins at ", start, " and has ", count, " elements in dimension ",
                    d, ", whose extent is ", arguments.extents[d]);
    }
    return PIO_NOERR;
  }
  if (arguments.elements < 0 || (arguments.elements > 0 && arguments.map == nullptr))
    return fail(PIO_EINVAL, "the map has ", arguments.elements, " elements",
                arguments.map == nullptr ? " and is NULL" : "; give 0 or more");
  for (int64_t i = 0; i < arguments.elements; ++i) {
    const int64_t index = arguments.map[i] - arguments.first;
    if (index < -1 || index >= *all)
      return fail(PIO_EINVAL, "element ", i, " of the map is ", arguments.map[i], ": the array has ", *all,
                  " elements, of which the first is ", arguments.first, ", and ", arguments.first - 1,
                  " stands for none");
  }
  return PIO_NOERR;
}

// Of arguments that were checked.
int64_t elements_of(const LayoutArguments& arguments) {
  return arguments.start.empty() ? arguments.elements : *volume(arguments.count);
}

uint64_t fingerprint_of(const LayoutArguments& arguments) {
  Fingerprint print;
  for (const int64_t extent : arguments.extents) print.add(extent);
  print.add(arguments.start.empty() ? 0 : 1);
  for (const int64_t start : arguments.start) print.add(start);
  for (const int64_t count : arguments.count) print.add(count);
  print.add(elements_of(arguments));
  if (arguments.start.empty()) {
    for (int64_t i = 0; i < arguments.elements; ++i) print.add(arguments.map[i] - arguments.first);
  }
  return print.value();
}

// The decompositions of one array differ in their map; two maps are taken as equal where 63 bits of a hash
// and the number of elements are equal on every rank.
std::shared_ptr<Layout> known(const IoSystem& system, uint64_t fingerprint, int64_t elements) {
  for (const auto& [number, candidate] : system.layouts) {
    std::shared_ptr<Layout> layout = candidate.lock();
    if (layout != nullptr && layout->fingerprint == fingerprint && layout->elements == elements)
      return layout;
  }
  return nullptr;
}

// The elements of the array that a map names, of which the first is 0; -1: none.
std::vector<int64_t> indices_of(const LayoutArguments& arguments) {
  if (!arguments.start.empty()) return {};
  std::vector<int64_t> index(arguments.map, arguments.map + arguments.elements);
  for (int64_t& at : index) at -= arguments.first;
  return index;
}

// All that takes memory: it is there before the ranks agree that they make a layout, because a rank without
// memory must not leave the others in the native call.
struct Draft {
  std::vector<int64_t> index;     // of a map
  std::shared_ptr<Layout> known;  // this rank has a layout of these arguments; NULL: it has none
  std::shared_ptr<Layout> layout;
  std::map<int, std::weak_ptr<Layout>> entry;  // for those of the I/O system
};

Draft draft_of(const IoSystem& system, const LayoutArguments& arguments) {
  Draft draft;
  draft.index = indices_of(arguments);
  draft.layout = std::make_shared<Layout>();
  Layout& layout = *draft.layout;
  layout.extents = arguments.extents;
  layout.elements = elements_of(arguments);
  layout.fingerprint = fingerprint_of(arguments);
  draft.known = known(system, layout.fingerprint, layout.elements);
  draft.entry.emplace(0, draft.layout);
  return draft;
}

int make_native(const IoSystem& system, const LayoutArguments& arguments, const std::vector<int64_t>& index,
                Layout& layout) {
  const int ndims = static_cast<int>(layout.extents.size());
  if (!arguments.start.empty())
    return natively(scorpio_decomp_block(system.native(), ndims, layout.extents.data(),
                                         arguments.start.data(), arguments.count.data(), &layout.native));
  return natively(scorpio_decomp_map(system.native(), ndims, layout.extents.data(), arguments.elements,
                                     index.data(), &layout.native));
}

void add(IoSystem& system, Draft& draft) {
  std::erase_if(system.layouts, [](const auto& entry) { return entry.second.expired(); });
  auto entry = draft.entry.extract(draft.entry.begin());
  entry.key() = draft.layout->number;
  system.layouts.insert(std::move(entry));
}

}  // namespace

int make_layout(IoSystem& system, int code, const LayoutArguments& arguments, std::shared_ptr<Layout>& made) {
  Draft draft;
  if (code == PIO_NOERR) {
    code = guarded([&] {
      if (const int wrong = check(arguments); wrong != PIO_NOERR) return wrong;
      draft = draft_of(system, arguments);
      return PIO_NOERR;
    });
  }
  if (code = system.agree(code); code != PIO_NOERR) return code;
  const auto number = static_cast<uint64_t>(draft.known == nullptr ? 0 : draft.known->number + 1);
  scorpio_compat::ComparedWords<3> facts;
  facts.compare(0, number);
  facts[2] = static_cast<uint64_t>(draft.layout->elements);
  scorpio_compat::all_reduce(facts.data(), facts.count(), MPI_UINT64_T, MPI_MAX, system.comm());
  if (number != 0 && facts.all_equal(0)) {
    made = std::move(draft.known);
    return PIO_NOERR;
  }
  draft.layout->most_elements = static_cast<int64_t>(facts[2]);
  draft.layout->number = system.next_layout();
  if (code = make_native(system, arguments, draft.index, *draft.layout); code != PIO_NOERR) return code;
  add(system, draft);
  made = std::move(draft.layout);
  return PIO_NOERR;
}

}  // namespace scorpio_pio
