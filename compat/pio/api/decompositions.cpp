// Decompositions. Making one is Collective over the I/O system; the rest is Local.
#include <climits>
#include <utility>

#include "pio/base/define.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"

using namespace scorpio_pio;

namespace {

int check(int pio_type, int ndims, const int* gdimlen, const int* ioidp) {
  if (ioidp == nullptr) return fail(PIO_EINVAL, "the pointer to the id is NULL");
  if (!element_of(pio_type)) return fail(PIO_EBADTYPE, pio_type, " is not a type of elements");
  if (ndims < 1 || gdimlen == nullptr)
    return fail(PIO_EINVAL, "the number of dimensions is ", ndims,
                ", or the extents are NULL; give 1 or more, and their extents");
  return PIO_NOERR;
}

// Without the layout. It takes memory, and is there before the ranks make the layout.
std::shared_ptr<Decomposition> draft_of(int iosysid, int pio_type, int ndims, const int* gdimlen) {
  const auto made = std::make_shared<Decomposition>();
  made->system = iosysid;
  made->type = pio_type;
  made->element_bytes = element_of(pio_type)->bytes;
  made->extents.assign(gdimlen, gdimlen + ndims);
  return made;
}

// Collective. `fill`: sets the other arguments of the layout, and returns 0 or a code.
template <typename Fill>
int make(IoSystem& system, int iosysid, int pio_type, int ndims, const int* gdimlen, int* ioidp,
         Fill&& fill) {
  LayoutArguments arguments;
  std::shared_ptr<Decomposition> made;
  std::shared_ptr<Layout> layout;
  Registry::Node<Decomposition> node;
  int code = guarded([&] {
    if (const int wrong = check(pio_type, ndims, gdimlen, ioidp); wrong != PIO_NOERR) return wrong;
    arguments.extents.assign(gdimlen, gdimlen + ndims);
    made = draft_of(iosysid, pio_type, ndims, gdimlen);
    node = Registry::node_of(made);
    return fill(arguments);
  });
  if (code = make_layout(system, code, arguments, layout); code != PIO_NOERR) return code;
  made->layout = std::move(layout);
  *ioidp = Registry::instance().add(std::move(node));
  return PIO_NOERR;
}

int map_decomposition(const char* function, int iosysid, int pio_type, int ndims, const int* gdimlen,
                      int maplen, const PIO_Offset* compmap, int first, int* ioidp) {
  return collective_system_call(function, iosysid, [&](IoSystem& system) {
    return make(system, iosysid, pio_type, ndims, gdimlen, ioidp, [&](LayoutArguments& arguments) {
      arguments.elements = maplen;
      arguments.map = compmap;
      arguments.first = first;
      return PIO_NOERR;
    });
  });
}

}  // namespace

PIOC(int, InitDecomp,
     (int iosysid, int pio_type, int ndims, const int* gdimlen, int maplen, const PIO_Offset* compmap,
      int* ioidp, const int*, const PIO_Offset*, const PIO_Offset*)) {
  return map_decomposition(__func__, iosysid, pio_type, ndims, gdimlen, maplen, compmap, 1, ioidp);
}

PIOC(int, init_decomp,
     (int iosysid, int pio_type, int ndims, const int* gdimlen, int maplen, const PIO_Offset* compmap,
      int* ioidp, int, const PIO_Offset*, const PIO_Offset*)) {
  return map_decomposition(__func__, iosysid, pio_type, ndims, gdimlen, maplen, compmap, 0, ioidp);
}

PIOC(int, InitDecomp_bc,
     (int iosysid, int basetype, int ndims, const int* gdimlen, const long int* start, const long int* count,
      int* ioidp)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    return make(system, iosysid, basetype, ndims, gdimlen, ioidp, [&](LayoutArguments& arguments) {
      if (start == nullptr || count == nullptr) return fail(PIO_EINVAL, "the start or the count is NULL");
      arguments.start.assign(start, start + ndims);
      arguments.count.assign(count, count + ndims);
      return PIO_NOERR;
    });
  });
}

// Buffered writes keep a reference to what they need. The id names the decomposition, of whatever I/O system.
PIOC(int, freedecomp, (int iosysid, int ioid)) {
  return system_setting(__func__, iosysid, [&](IoSystem&) {
    Registry& registry = Registry::instance();
    if (registry.decomposition(ioid) == nullptr) return no_such_decomposition(ioid);
    registry.remove_decomposition(ioid);
    return PIO_NOERR;
  });
}

// Returns the length of the map.
PIOC(int, get_local_array_size, (int ioid)) {
  const auto decomposition = Registry::instance().decomposition(ioid);
  if (decomposition == nullptr)
    return handled(nullptr, __func__, fail(PIO_EBADID, "decomposition id ", ioid, " does not exist"));
  const int64_t elements = decomposition->layout->elements;
  if (elements <= INT_MAX) return static_cast<int>(elements);
  return handled(nullptr, __func__,
                 fail(PIO_ERANGE, "this rank has ", elements, " elements, which an int cannot hold"));
}
