#include "pio/calls/regions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "pio/base/iotypes.h"
#include "pio/base/number_ranges.h"
#include "pio/base/types.h"
#include "pio/calls/calls.h"
#include "pio/file/packed.h"
#include "pio/file/reads.h"
#include "pio/file/string_elements.h"

namespace scorpio_pio {

namespace {

constexpr const char* k_out_of_range =
    "values are out of the range of their new type; use a type that can hold them";

// The type in memory.
int memory_type(const File& file, const Variable& variable, nc_type& memory) {
  if (const int code = check_known_type(variable); code != PIO_NOERR) return code;
  if (memory == PIO_NAT) memory = variable.type;
  if (variable.type == PIO_STRING) {
    if (memory == PIO_STRING) return PIO_NOERR;
    return fail(PIO_ECHAR,
                "the variable holds strings, which PIOc_put_var and PIOc_get_var without a type move");
  }
  if (!element_of(memory)) return fail(PIO_EBADTYPE, memory, " is not a type of elements in memory");
  if (is_text(memory) != is_text(variable.type))
    return fail(PIO_ECHAR, "text and numbers cannot be converted into each other");
  memory = signed_as_stored(file.format(), memory, variable.type);
  return PIO_NOERR;
}

// With PIO_IOTYPE_PNETCDF puts in define mode wait until it ends, with PIO_IOTYPE_NETCDF they are errors.
int check_put(File& file, int varid, const Region& region, nc_type& memory, const Variable*& variable,
              CheckedRegion& slab) {
  int code = check_not_global(varid);
  if (code == PIO_NOERR) code = file.look_up(varid, variable);
  if (code == PIO_NOERR && !file.is_writable())
    code = fail(PIO_EPERM, file.path(), " was opened for reading");
  if (code == PIO_NOERR && file.iotype() == PIO_IOTYPE_NETCDF) code = file.check_data_mode();
  if (code == PIO_NOERR) code = memory_type(file, *variable, memory);
  if (code == PIO_NOERR && variable->fixed_strings)
    code = fail(PIO_EBADTYPE, "variable ", varid, " of ", file.path(), " holds strings of a fixed length of ",
                variable->element_bytes, " bytes, which can be read, but not written");
  return code != PIO_NOERR ? code : check_region(region, *variable, false, slab);
}

// The data of this rank, which are not used if it is not the I/O root: its values are read there only to
// return the code that the root returns, and not if a failure ends the program. `rules`: of their conversion
// to the type of the variable, if it is made here.
Buffer data_of(IoSystem& system, const CheckedRegion& slab, nc_type memory, nc_type stored,
               const std::optional<Rules>& rules, const void* data, bool& fits) {
  if (system.rank() == system.root())
    return rules ? converted(system, slab, memory, stored, *rules, data, fits)
                 : packed(system, slab, memory, data);
  if (rules && data != nullptr && system.handler != PIO_INTERNAL_ERROR)
    fits = all_fit(slab, memory, stored, *rules, data);
  return {};
}

// The write of the elements of a slab, without its data.
Write write_to(const Variable& variable, const Element& element, CheckedRegion slab) {
  Write write;
  write.variable = variable.id;
  write.type = element.type;
  write.element_bytes = element.bytes;
  write.start = std::move(slab.start);
  write.count = std::move(slab.count);
  write.stride = std::move(slab.stride);
  write.growth = std::move(slab.growth);
  return write;
}

// A put of no elements that ends behind the last record of a classic file. netCDF-C adds the records. The
// underlying library adds those that are written: here the first element of the last one gets its fill value.
int put_no_elements(File& file, const Variable& variable, const CheckedRegion& slab) {
  const bool strided = std::ranges::any_of(slab.stride, [](int64_t stride) { return stride != 1; });
  if (!file.is_classic() || !variable.has_records() || strided || !slab.map.empty()) return PIO_NOERR;
  const int64_t records = slab.start[0] + slab.count[0];
  if (records <= variable.extents[0]) return PIO_NOERR;
  const Element element = *element_of(variable.type);
  CheckedRegion first;
  first.start.assign(slab.start.size(), 0);
  first.count.assign(slab.start.size(), 1);
  first.start[0] = records - 1;
  first.growth.push_back({variable.record_dimension, records});
  Write write = write_to(variable, element, std::move(first));
  IoSystem& system = file.system();
  if (system.rank() == system.root()) {
    write.data = system.take_buffer(element.bytes);
    const int native =
        scorpio_variable_fill_inquire(file.native(), variable.id, nullptr, write.data.get(), element.bytes);
    if (native != SCORPIO_OK) return natively(native);
  }
  file.push(std::move(write), static_cast<int64_t>(element.bytes));
  return PIO_NOERR;
}

// `fits`: whether all values are in the range of the type of the variable.
int put(File& file, int varid, const Region& region, nc_type memory, const void* data, bool& fits) {
  file.count_put();
  const Variable* variable = nullptr;
  CheckedRegion slab;
  int code = check_put(file, varid, region, memory, variable, slab);
  if (code != PIO_NOERR) return code;
  if (slab.elements == 0) return put_no_elements(file, *variable, slab);
  const bool is_root = file.system().rank() == file.system().root();
  if (data == nullptr) code = fail(PIO_EINVAL, "the buffer is NULL");
  if (data == nullptr && is_root) return code;
  const auto rules = rules_of(file.format(), memory, variable->type, Rules::classic_put);
  const nc_type type = rules ? variable->type : memory;
  const Element element = type == PIO_STRING ? k_string : *element_of(type);
  Buffer values = data_of(file.system(), slab, memory, variable->type, rules, data, fits);
  const int64_t elements = slab.elements;
  Write write = write_to(*variable, element, std::move(slab));
  write.data = std::move(values);
  write.refused = code != PIO_NOERR;
  file.push(std::move(write), elements * static_cast<int64_t>(element.bytes));
  if (!fits) file.remember_range();
  return code;
}

// What a get reads.
struct Wanted {
  nc_type memory;            // the type in memory
  nc_type stored = PIO_NAT;  // of the variable
  CheckedRegion slab{};
  size_t fixed_bytes = 0;  // of each string of a variable of strings of fixed length

  bool is_fixed() const { return fixed_bytes != 0; }
  bool is_strings() const { return memory == PIO_STRING && !is_fixed(); }
};

// The checks of each rank. The number of records includes those of buffered writes of this rank.
int check_get(File& file, int varid, const Region& region, const void* data, Wanted& wanted) {
  const Variable* variable = nullptr;
  int code = check_not_global(varid);
  if (code == PIO_NOERR) code = file.look_up(varid, variable);
  if (code == PIO_NOERR && variable->fixed_strings) wanted.fixed_bytes = variable->element_bytes;
  if (code == PIO_NOERR) wanted.stored = variable->type;
  if (code == PIO_NOERR) code = file.check_data_mode();
  if (code == PIO_NOERR) code = memory_type(file, *variable, wanted.memory);
  if (code == PIO_NOERR) code = check_region(region, *variable, true, wanted.slab);
  if (code == PIO_NOERR && wanted.slab.elements > 0 && data == nullptr)
    code = fail(PIO_EINVAL, "the buffer is NULL");
  return code;
}

int get_strings(File& file, int varid, const CheckedRegion& slab, char** data) {
  std::vector<char*> texts;
  std::vector<int64_t> places;
  const int room = guarded([&] {
    texts.resize(static_cast<size_t>(slab.elements), nullptr);
    places = places_of(slab);
    return PIO_NOERR;
  });
  if (room != PIO_NOERR) return refuse_call(file, Call::get, room);
  const int code = read_strings(file, varid, slab.start, slab.count, slab.stride, texts.data());
  if (code != PIO_NOERR) return code;
  for (size_t i = 0; i < texts.size(); ++i) data[places[i]] = texts[i];
  return PIO_NOERR;
}

// `code` and `read` as in read_access().
int get(File& file, int varid, const CheckedRegion& slab, const Element& element, void* data, int code,
        bool* read = nullptr) {
  scorpio_access access = scorpio_hyperslab(varid, slab.start.data(), slab.count.data(), element.type, data);
  if (!slab.stride.empty()) access.stride = slab.stride.data();
  if (!slab.map.empty()) access.map = slab.map.data();
  access.sharing = SCORPIO_ALL_RANKS;
  if (code == PIO_NOERR && file.system().rank() == file.system().root())
    file.traffic().read_bytes += slab.elements * static_cast<int64_t>(element.bytes);
  return read_access(file, Call::get, access, code, read);
}

// What a get into other memory than the caller's needs on this rank.
struct Room {
  std::vector<std::byte> values;  // in row-major order
  CheckedRegion in_order;         // where they are in the variable
  std::vector<int64_t> places;    // where they go in the caller's memory; empty: in the same order
};

// A rank without memory takes part in the get with this code.
int make_room(const CheckedRegion& slab, size_t bytes, Room& room) {
  return guarded([&] {
    room.values.resize(static_cast<size_t>(slab.elements) * bytes);
    room.in_order = slab;
    room.in_order.map.clear();
    if (!slab.map.empty()) room.places = places_of(slab);
    return PIO_NOERR;
  });
}

// Strings of `bytes` each, one after the other, as copies that the caller releases: of all strings or of
// none.
int copy_strings(const Room& room, size_t bytes, char** data) {
  std::vector<std::unique_ptr<char, decltype(&std::free)>> copies;
  const auto* const packed = reinterpret_cast<const char*>(room.values.data());
  for (int64_t i = 0; i < room.in_order.elements; ++i) {
    copies.emplace_back(strndup(packed + static_cast<size_t>(i) * bytes, bytes), &std::free);
    if (copies.back() == nullptr)
      return fail(PIO_ENOMEM, "there is no memory for ", room.in_order.elements, " strings");
  }
  for (size_t i = 0; i < copies.size(); ++i)
    data[room.places.empty() ? static_cast<int64_t>(i) : room.places[i]] = copies[i].release();
  return PIO_NOERR;
}

int get_fixed_strings(File& file, int varid, const Wanted& wanted, char** data) {
  Room room;
  const int made = make_room(wanted.slab, wanted.fixed_bytes, room);
  const int code =
      get(file, varid, room.in_order, {SCORPIO_TEXT, wanted.fixed_bytes}, room.values.data(), made);
  return code != PIO_NOERR ? code : copy_strings(room, wanted.fixed_bytes, data);
}

// Of another type in memory than that of the variable.
int get_converted(File& file, int varid, const Wanted& wanted, Rules rules, void* data) {
  const Element stored = *element_of(wanted.stored), memory = *element_of(wanted.memory);
  Room room;
  const int made = make_room(wanted.slab, stored.bytes, room);
  bool read = false, fits = true;
  const int code = get(file, varid, room.in_order, stored, room.values.data(), made, &read);
  if (!read) return code;
  auto* const to = static_cast<std::byte*>(data);
  const std::byte* from = room.values.data();
  if (wanted.slab.map.empty()) {
    fits = convert_numbers(wanted.stored, from, wanted.memory, to, room.values.size() / stored.bytes, rules);
  } else {
    for (const int64_t place : room.places) {
      fits &= convert_numbers(wanted.stored, from, wanted.memory,
                              to + place * static_cast<int64_t>(memory.bytes), 1, rules);
      from += stored.bytes;
    }
  }
  return code != PIO_NOERR || fits ? code : fail(PIO_ERANGE, k_out_of_range);
}

}  // namespace

int put_region(const char* function, int ncid, int varid, const Region& region, nc_type memory,
               const void* data) {
  bool fits = true;
  const int code =
      file_change(function, ncid, [&](File& file) { return put(file, varid, region, memory, data, fits); });
  const auto file = Registry::instance().file(ncid);
  if (file == nullptr) return code;
  int later = guarded([&] { return file->flush_if_full(); });
  if (later == PIO_NOERR && !fits) later = fail(PIO_ERANGE, k_out_of_range);
  return code != PIO_NOERR ? code : handled(&file->system(), function, later);
}

int get_region(const char* function, int ncid, int varid, const Region& region, nc_type memory, void* data) {
  return collective_file_call(function, ncid, Call::get, [&](File& file) {
    Wanted wanted{memory};
    const int code = guarded([&] { return check_get(file, varid, region, data, wanted); });
    if (code == PIO_NOERR && wanted.is_strings())
      return get_strings(file, varid, wanted.slab, static_cast<char**>(data));
    if (code == PIO_NOERR && wanted.is_fixed())
      return get_fixed_strings(file, varid, wanted, static_cast<char**>(data));
    const auto rules = rules_of(file.format(), wanted.stored, wanted.memory, Rules::classic_get);
    if (code == PIO_NOERR && rules) return get_converted(file, varid, wanted, *rules, data);
    const Element refused{SCORPIO_INT32, 0};
    return get(file, varid, wanted.slab, code == PIO_NOERR ? *element_of(wanted.memory) : refused, data,
               code);
  });
}

}  // namespace scorpio_pio
