#include "arguments.h"

#include "../program.h"

namespace scorpio::pio_test::matrix {

namespace {

// Where one rank is in a call on another file all learn that the ranks are in different ones.
constexpr int k_different = PIO_EINVAL;

Value<const char*> literal(const char* name) {
  return [name](Stage&) { return name; };
}

const char* too_long() {
  static const std::string name(PIO_MAX_NAME + 1, 'n');
  return name.c_str();
}

Argument<const char*>& with_bad_names(Argument<const char*>& names) {
  return names.also("NULL", PIO_EINVAL, literal(nullptr))
      .also("empty", PIO_EBADNAME, literal(""))
      .also("too long", PIO_EINVAL, literal(too_long()))
      .also("with a slash", PIO_EBADNAME, literal("a/b"));
}

}  // namespace

Argument<int> file() {
  Argument<int> ids{[](Stage& stage) { return stage.file; }, {}};
  return ids.also("unknown file", PIO_EBADID, [](Stage&) { return k_unknown; })
      .also("closed file", PIO_EBADID, [](Stage& stage) { return stage.closed; });
}

Argument<int> file_to_change() {
  return file().also("read-only file", {PIO_EPERM, k_different},
                     [](Stage& stage) { return stage.read_only; });
}

// netCDF-4 files enter define mode for a definition, and leave it for data.
Argument<int> file_to_define(int in_data_mode) {
  if (makes_netcdf4()) return file_to_change();
  return file_to_change().also("file in data mode", {in_data_mode, k_different},
                               [](Stage& stage) { return stage.in_data_mode; });
}

Argument<int> file_to_read() {
  if (makes_netcdf4()) return file();
  return file().also("file in define mode", PIO_EINDEFINE, [](Stage& stage) { return stage.in_define_mode; });
}

Argument<int> system() {
  Argument<int> ids{[](Stage& stage) { return stage.system; }, {}};
  return ids.also("unknown system", PIO_EBADID, [](Stage&) { return k_unknown; })
      .also("finalized system", PIO_EBADID, [](Stage& stage) { return stage.finalized; });
}

Argument<int> decomposition() {
  Argument<int> ids{[](Stage& stage) { return stage.decomposition; }, {}};
  return ids.also("unknown decomposition", PIO_EBADID, [](Stage&) { return k_unknown; })
      .also("freed decomposition", PIO_EBADID, [](Stage& stage) { return stage.freed; });
}

Argument<int> dimension() {
  Argument<int> ids{[](Stage& stage) { return stage.x; }, {}};
  return ids.also("unknown dimension", PIO_EBADDIM, [](Stage&) { return k_unknown; })
      .also("negative dimension", PIO_EBADDIM, [](Stage&) { return -1; });
}

Argument<int> variable(int Stage::*right) {
  Argument<int> ids{[right](Stage& stage) { return stage.*right; }, {}};
  return ids.also("unknown variable", PIO_ENOTVAR, [](Stage&) { return k_unknown; })
      .also("negative variable", PIO_ENOTVAR, [](Stage&) { return -7; });
}

Argument<int> variable_with_a_frame() {
  Argument<int> ids{[](Stage& stage) { return stage.record; }, {}};
  return ids.also("unknown variable", PIO_ENOTVAR, [](Stage&) { return PIO_MAX_VARS - 1; })
      .also("number of no variable", PIO_EINVAL, [](Stage&) { return PIO_MAX_VARS; })
      .also("negative variable", PIO_EINVAL, [](Stage&) { return -7; });
}

Argument<int> object() {
  Argument<int> ids{[](Stage&) { return PIO_GLOBAL; }, {}};
  return ids.also("unknown variable", PIO_ENOTVAR, [](Stage&) { return k_unknown; })
      .also("negative variable", PIO_ENOTVAR, [](Stage&) { return -7; });
}

Argument<nc_type> type() {
  return any<nc_type>(PIO_DOUBLE)
      .also("no type", PIO_EBADTYPE, [](Stage&) { return PIO_NAT; })
      .also("unknown type", PIO_EBADTYPE, [](Stage&) { return 99; })
      .also("negative type", PIO_EBADTYPE, [](Stage&) { return -3; });
}

Argument<const char*> new_name(const char* taken) {
  Argument<const char*> names{[](Stage& stage) { return stage.name.c_str(); }, {}};
  with_bad_names(names);
  if (taken != nullptr) names.also("taken", PIO_ENAMEINUSE, literal(taken));
  return names;
}

Argument<const char*> known_name(const char* name, int absent) {
  Argument<const char*> names{literal(name), {}};
  return names.also("NULL", PIO_EINVAL, literal(nullptr))
      .also("empty", absent, literal(""))
      .also("too long", PIO_EINVAL, literal(too_long()))
      .also("absent", absent, literal("absent"));
}

Argument<const char*> prepared_name(int absent) {
  Argument<const char*> names = known_name("", absent);
  names.right = [](Stage& stage) { return stage.name.c_str(); };
  return names;
}

}  // namespace scorpio::pio_test::matrix
