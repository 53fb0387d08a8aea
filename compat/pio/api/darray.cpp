// Distributed arrays and frames. Writes are Local: their data are buffered until the next call that carries
// out writes. If the buffer is full, that is the write itself (Collective). Reads are Collective.
#include <algorithm>
#include <cstring>
#include <span>

#include "pio/base/define.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"
#include "pio/file/part_of_array.h"
#include "pio/file/reads.h"

using namespace scorpio_pio;

namespace {

struct Array {
  PIO_Offset elements = 0;
  const void* data = nullptr;
  const void* fill = nullptr;  // one element; NULL: the default of the type
  bool at_once = false;        // the same call carries out the write, whether the buffer is full or not
};

// The record, or the index along the first dimension, at which the decomposition's array lies in a variable.
struct Place {
  int64_t record = 0;
  int64_t records = 1;  // more than one: the array is of all dimensions of a variable with records
  bool appends = false;
  std::vector<int64_t> array;  // of the variable, if the decomposition is of the first part of it only
};

// Whether an array of these extents is the part of the variable from dimension `first` on. Leading extents of
// 1 are ignored, and along unlimited dimensions a part can be shorter or longer than the variable is.
bool is_of(std::span<const int64_t> extents, const Variable& variable, size_t first) {
  size_t left = extents.size();
  for (size_t d = variable.extents.size(); d > first;) {
    --d;
    const int64_t extent = left > 0 ? extents[--left] : 1;
    if (!variable.grows(d) && extent != variable.extents[d]) return false;
  }
  return std::ranges::all_of(extents.first(left), [](int64_t extent) { return extent == 1; });
}

// The native library does not add the extents of 1 that an array lacks where dimensions are unlimited.
bool names_each_dimension(std::span<const int64_t> extents, const Variable& variable, size_t first) {
  if (variable.inner.empty()) return true;
  const size_t wanted = variable.extents.size() - first;
  return extents.size() == wanted || (extents.size() > wanted && (first == 0 || variable.has_records()));
}

// How far the array reaches along the unlimited dimensions after the first one.
std::vector<Growth> inner_growth(const Variable& variable, const Layout& layout) {
  std::vector<Growth> growth;
  for (const InnerDimension& one : variable.inner) {
    const size_t from_end = variable.extents.size() - one.index;
    growth.push_back({one.dimension, layout.extents[layout.extents.size() - from_end]});
  }
  return growth;
}

// A read needs elements that are there.
int check_inner(const Variable& variable, const Layout& layout) {
  for (const Growth& one : inner_growth(variable, layout)) {
    const auto at = std::ranges::find(variable.inner, one.dimension, &InnerDimension::dimension);
    if (one.length <= variable.extents[at->index]) continue;
    return fail(PIO_EINVALCOORDS, "the decomposition has ", one.length, " elements along dimension ",
                at->index, " of the variable, which has ", variable.extents[at->index]);
  }
  return PIO_NOERR;
}

std::string listed(const std::vector<int64_t>& extents) {
  std::string text;
  for (const int64_t extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + ")";
}

// The extents of the variable from dimension `first` on, if the layout is of a first part of them.
std::vector<int64_t> array_of_part(const Variable& variable, const Layout& layout, size_t first) {
  const auto array = std::span(variable.extents).subspan(std::min(first, variable.extents.size()));
  if (!variable.inner.empty() || !is_first_part(layout.extents, array)) return {};
  return {array.begin(), array.end()};
}

// An array of all dimensions of a variable with records, which is a number of records from record 0 on.
int place_of_records(const Variable& variable, const Layout& layout, bool reading, Place& place) {
  if (const int code = reading ? check_inner(variable, layout) : PIO_NOERR; code != PIO_NOERR) return code;
  place.records = layout.extents[0];
  place.appends = true;
  if (!reading || place.records <= variable.extents[0]) return PIO_NOERR;
  return fail(PIO_EINVALCOORDS, "the decomposition has ", place.records, " records, of the ",
              variable.extents[0], " of the variable");
}

// In a variable of two or more dimensions the frame is the index along the first one. Without a frame,
// records are read and written from record 0 on.
int place_of(const Variable& variable, const Layout& layout, int frame, bool reading, Place& place) {
  const bool framed = variable.extents.size() >= 2 && frame >= 0;
  const bool lacks_first = reading && variable.extents.size() >= 2 &&
                           layout.extents.size() < variable.extents.size() &&
                           is_of(layout.extents, variable, 1);
  const size_t first = framed || variable.has_records() || lacks_first ? 1 : 0;
  const bool is_whole =
      is_of(layout.extents, variable, first) && names_each_dimension(layout.extents, variable, first);
  if (!is_whole) place.array = array_of_part(variable, layout, first);
  if (is_whole || !place.array.empty()) {
    if (const int code = reading ? check_inner(variable, layout) : PIO_NOERR; code != PIO_NOERR) return code;
    if (first == 0) return PIO_NOERR;
    place.record = framed ? frame : 0;
    const int64_t extent = variable.extents[0];
    if ((reading || !variable.has_records()) && place.record >= extent)
      return fail(reading ? PIO_EINVALCOORDS : PIO_EEDGE, "frame ", place.record, " is not one of the ",
                  extent, " of the variable");
    place.appends = variable.has_records();
    return PIO_NOERR;
  }
  if (!framed && variable.has_records() && layout.extents.size() == variable.extents.size() &&
      is_of(layout.extents, variable, 0))
    return place_of_records(variable, layout, reading, place);
  return fail(PIO_EINVAL, "the decomposition is of an array ", listed(layout.extents),
              ", the variable has extents ", listed(variable.extents),
              framed ? ", of which the frame indexes the first one"
              : variable.has_records()
                  ? ", of which the first one counts records: the decomposition is of the others, or of all"
                  : "");
}

int check_length(const Layout& layout, PIO_Offset elements, const void* data) {
  if (elements < layout.elements)
    return fail(PIO_EINVAL, "the array has ", elements, " elements, the map of the decomposition ",
                layout.elements);
  if (layout.elements > 0 && data == nullptr) return fail(PIO_EINVAL, "the array is NULL");
  return PIO_NOERR;
}

// All elements of this rank; elements that the caller did not pass have the fill value.
Buffer copied(IoSystem& system, const Array& array, int64_t elements, size_t element_bytes,
              const std::vector<std::byte>& fill) {
  Buffer bytes = system.take_buffer(static_cast<size_t>(elements) * element_bytes);
  const int64_t there = array.data == nullptr ? 0 : std::clamp<int64_t>(array.elements, 0, elements);
  if (there > 0) std::memcpy(bytes.get(), array.data, static_cast<size_t>(there) * element_bytes);
  for (int64_t i = there; i < elements; ++i)
    std::copy(fill.begin(), fill.end(), bytes.get() + static_cast<size_t>(i) * element_bytes);
  return bytes;
}

std::vector<std::byte> fill_of(const Array& array, const Decomposition& decomposition) {
  std::vector<std::byte> fill(decomposition.element_bytes);
  const auto preset = default_fill(decomposition.type);
  std::memcpy(fill.data(), array.fill != nullptr ? array.fill : preset.data(), fill.size());
  return fill;
}

int check_text(const Variable& variable, const Decomposition& decomposition) {
  if (const int code = check_known_type(variable); code != PIO_NOERR) return code;
  if (variable.type == PIO_STRING)
    return fail(PIO_ECHAR, "a variable of strings has no distributed arrays; use PIOc_put_vara");
  if (is_text(variable.type) == is_text(decomposition.type)) return PIO_NOERR;
  return fail(PIO_ECHAR, "text and numbers cannot be converted into each other");
}

// A rank whose array is too short or NULL writes the elements that it has, unless no rank has more.
int write(File& file, int varid, int ioid, int frame, const Array& array) {
  if (!file.is_writable()) return fail(PIO_EPERM, file.path(), " was opened for reading");
  std::shared_ptr<Decomposition> decomposition;
  const Variable* variable = nullptr;
  Place place;
  int code = file.look_up(varid, variable);
  if (code == PIO_NOERR) code = Registry::instance().look_up(file.system().id, ioid, decomposition);
  if (code == PIO_NOERR) code = check_text(*variable, *decomposition);
  if (code == PIO_NOERR) code = place_of(*variable, *decomposition->layout, frame, false, place);
  if (code != PIO_NOERR) return code;
  const Layout& layout = *decomposition->layout;
  Write write;
  write.variable = variable->id;
  write.type = element_of(decomposition->type)->type;
  write.element_bytes = decomposition->element_bytes;
  write.layout = decomposition->layout;
  write.record = place.record;
  write.array = std::move(place.array);
  write.ndims = variable->extents.size();
  write.growth = inner_growth(*variable, layout);
  if (place.appends) write.growth.push_back({variable->record_dimension, place.record + place.records});
  write.fill = fill_of(array, *decomposition);
  const auto counted = layout.most_elements * static_cast<int64_t>(decomposition->element_bytes);
  const int length = check_length(layout, array.elements, array.data);
  write.refused = length != PIO_NOERR;
  if (length == PIO_NOERR && array.data != nullptr && (array.at_once || file.is_full_with(counted))) {
    write.borrowed = static_cast<const std::byte*>(array.data);
    write.bytes = static_cast<size_t>(layout.elements) * decomposition->element_bytes;
  } else {
    write.data = copied(file.system(), array, layout.elements, decomposition->element_bytes, write.fill);
  }
  file.push(std::move(write), counted);
  return length;
}

int flushed(const char* function, int ncid, int code) {
  const auto file = Registry::instance().file(ncid);
  if (file == nullptr) return code;
  int later = guarded([&] { return file->flush_if_full(); });
  later = first_of(later, file->copy_borrowed());
  return code != PIO_NOERR ? code : handled(&file->system(), function, later);
}

// Collective: all ranks return the same code. If the ranks are in different calls, what this call wrote is
// forgotten. `before`: the number of writes that waited before the call.
int flushed_at_once(const char* function, int ncid, int code, size_t before) {
  const auto file = Registry::instance().file(ncid);
  if (file == nullptr) return guarded([&] { return stand_in_for_file(ncid, Call::flush); });
  const int later = guarded([&] { return file->flush(); });
  file->keep_first(std::min(before, file->writes()));
  if (later == PIO_NOERR || code != PIO_NOERR) return later != PIO_NOERR ? later : code;
  return handled(&file->system(), function, later);
}

// The code of a variable that was not found: `code`, or PIO_EINVAL for a number that no variable of PIO has.
int not_an_id(int varid, int code) {
  if (code != PIO_ENOTVAR || (varid >= 0 && varid < PIO_MAX_VARS)) return code;
  return fail(PIO_EINVAL, varid, " is not the id of a variable, which is 0 to ", PIO_MAX_VARS - 1);
}

int write_all(File& file, const int* varids, int nvars, int ioid, const Array& arrays, const int* frames) {
  std::shared_ptr<Decomposition> decomposition;
  int code = Registry::instance().look_up(file.system().id, ioid, decomposition);
  if (code != PIO_NOERR) return code;
  const size_t bytes = decomposition->element_bytes;
  for (int i = 0; i < nvars; ++i) {
    const auto n = static_cast<size_t>(i);
    Array array = arrays;
    if (arrays.data != nullptr)
      array.data =
          static_cast<const std::byte*>(arrays.data) + n * static_cast<size_t>(arrays.elements) * bytes;
    if (arrays.fill != nullptr) array.fill = static_cast<const std::byte*>(arrays.fill) + n * bytes;
    const Variable* variable = nullptr;
    const bool framed = frames != nullptr && file.look_up(varids[i], variable) == PIO_NOERR &&
                        (variable->has_records() || file.frames().of(varids[i]) >= 0);
    const int one = write(file, varids[i], ioid, framed ? frames[i] : file.frames().of(varids[i]), array);
    if (code == PIO_NOERR) code = not_an_id(varids[i], one);
  }
  return code;
}

struct Read {
  scorpio_access access{};
  std::shared_ptr<Layout> layout;
  std::vector<int64_t> array;  // see Place
};

int check_read(File& file, int varid, int ioid, PIO_Offset arraylen, const void* array, Read& read) {
  std::shared_ptr<Decomposition> decomposition;
  const Variable* variable = nullptr;
  Place place;
  int code = file.look_up(varid, variable);
  if (code == PIO_NOERR) code = file.check_data_mode();
  if (code == PIO_NOERR) code = Registry::instance().look_up(file.system().id, ioid, decomposition);
  if (code == PIO_NOERR) code = check_text(*variable, *decomposition);
  if (code == PIO_NOERR)
    code = place_of(*variable, *decomposition->layout, file.frames().of(varid), true, place);
  if (code == PIO_NOERR) code = check_length(*decomposition->layout, arraylen, array);
  if (code != PIO_NOERR) return code;
  read.access = scorpio_darray(variable->id, decomposition->layout->native, place.record,
                               element_of(decomposition->type)->type, array);
  read.layout = decomposition->layout;
  read.array = std::move(place.array);
  file.traffic().read_bytes +=
      decomposition->layout->elements * static_cast<int64_t>(decomposition->element_bytes);
  return code;
}

int change_frame(File& file, int varid, int frame) {
  const int code = not_an_id(varid, file.check_variable(varid));
  if (code == PIO_NOERR) file.frames().set(varid, frame);
  return code;
}

}  // namespace

PIOC(int, setframe, (int ncid, int varid, int frame)) {
  return file_change(__func__, ncid, [&](File& file) { return change_frame(file, varid, frame); });
}

PIOC(int, advanceframe, (int ncid, int varid)) {
  return file_change(__func__, ncid,
                     [&](File& file) { return change_frame(file, varid, file.frames().of(varid) + 1); });
}

PIOC(int, write_darray,
     (int ncid, int varid, int ioid, PIO_Offset arraylen, const void* array, const void* fillvalue)) {
  const int code = file_change(__func__, ncid, [&](File& file) {
    return write(file, varid, ioid, file.frames().of(varid), {arraylen, array, fillvalue, false});
  });
  return flushed(__func__, ncid, code);
}

// The values of `fillvalue` are contiguous in memory.
PIOC(int, write_darray_multi,
     (int ncid, const int* varids, int ioid, int nvars, PIO_Offset arraylen, const void* array,
      const int* frame, const void** fillvalue, bool flushtodisk)) {
  const auto opened = Registry::instance().file(ncid);
  const size_t before = opened == nullptr ? 0 : opened->writes();
  const bool at_once = flushtodisk && (opened == nullptr || !opened->is_defining());
  const int code = file_change(__func__, ncid, [&](File& file) {
    if (nvars <= 0 || varids == nullptr)
      return fail(PIO_EINVAL, "the number of variables is ", nvars,
                  ", or their ids are NULL; give 1 or more");
    const Array arrays{arraylen, array, static_cast<const void*>(fillvalue), at_once};
    return write_all(file, varids, nvars, ioid, arrays, frame);
  });
  return at_once ? flushed_at_once(__func__, ncid, code, before) : flushed(__func__, ncid, code);
}

PIOC(int, read_darray, (int ncid, int varid, int ioid, PIO_Offset arraylen, void* array)) {
  return collective_file_call(__func__, ncid, Call::read, [&](File& file) {
    Read read;
    const int code = guarded([&] { return check_read(file, varid, ioid, arraylen, array, read); });
    if (code == PIO_NOERR && !read.array.empty())
      return read_part(file, *read.layout, read.array, read.access);
    return read_access(file, Call::read, read.access, code);
  });
}
