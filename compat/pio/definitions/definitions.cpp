#include "pio/definitions/definitions.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "pio/base/failure.h"
#include "pio/base/guarded.h"

namespace scorpio_pio {

namespace {

// `path` has room for it.
void get_path(scorpio_file* file, std::string& path) {
  size_t length = 0;
  (void)scorpio_file_path(file, nullptr, 0, &length);
  path.resize(length + 1);
  (void)scorpio_file_path(file, path.data(), path.size(), nullptr);
  path.resize(length);
}

Definition fill_definition(int mode) {
  Definition definition;
  definition.kind = Definition::Kind::fill_mode;
  definition.length = mode == PIO_FILL ? 1 : 0;
  return definition;
}

}  // namespace

Definitions::Definitions(IoSystem& system) : system_(system) { path_.reserve(PATH_MAX); }

void Definitions::attach(scorpio_file* native, Creation&& creation) {
  native_ = native;
  get_path(native, path_);
  creation_ = std::move(creation);
  const bool is_new = !was_opened();
  scorpio_open_mode mode = SCORPIO_READ;
  int defining = 0;
  (void)scorpio_file_inquire(native_, &format_, &mode, &defining);
  writable_ = mode == SCORPIO_WRITE;
  defining_ = is_classic() ? defining != 0 : is_new;  // natively netCDF-4 has no define mode
  has_own_name_ = !is_new;
  changed_ = is_new;
  has_data_ = !is_new;
  first_new_variable_ = first_own_variable_ = variable_count();
}

int Definitions::find_unnamed_dimensions() {
  if (!was_opened() || is_classic()) return PIO_NOERR;
  return guarded([&] {
    dimension_ids_.find(native_);
    return PIO_NOERR;
  });
}

// ---- dimensions and variables ----

std::vector<int> Definitions::unlimited_dimensions() const {
  std::vector<int> ids = dimension_ids_.unlimited_phony();
  for (const int native : facts_.unlimited(native_)) ids.push_back(dimension_ids_.of_native(native));
  std::ranges::sort(ids);
  return ids;
}

int Definitions::variable_count() const {
  if (variable_count_ < 0) (void)scorpio_file_variables(native_, nullptr, 0, &variable_count_);
  return variable_count_;
}

std::optional<int> Definitions::chosen_byte_order(int varid) const {
  if (was_there(varid)) return std::nullopt;
  return log_.chosen(Definition::Kind::byte_order, varid).value_or(NC_ENDIAN_NATIVE);
}

// ---- definitions ----

int Definitions::define(Definition definition, int* made) {
  if (!log_.keeps() && !can_begin_again()) keep_state();
  const int object = definition.object;
  std::vector<int> dimensions;
  if (dimension_ids_.size() > 0) dimensions = definition.dimensions;
  name_natively(definition);
  const bool keeps_room = definition.renames() && is_classic() && !defining_;
  const size_t room = keeps_room ? name_rooms_.of(native_, definition) : 0;
  const int code = definition.make(native_, made);
  if (keeps_room && is_done(code)) name_rooms_.keep(definition, room);
  definition.object = object;
  if (dimension_ids_.size() > 0) definition.dimensions = std::move(dimensions);
  if (!is_done(code)) return code;
  changed_ = true;
  facts_.forget();
  if (definition.kind == Definition::Kind::variable) variable_count_ = -1;
  if (definition.kind == Definition::Kind::dimension) facts_.forget_dimensions();
  log_.add(std::move(definition));
  return code;
}

// With the ids of dimensions in the underlying library.
void Definitions::name_natively(Definition& definition) const {
  if (dimension_ids_.size() == 0) return;
  if (definition.kind == Definition::Kind::dimension_name)
    definition.object = dimension_ids_.native(definition.object);
  for (int& dimension : definition.dimensions) dimension = dimension_ids_.native(dimension);
}

int Definitions::check_mode() const {
  if (!needs_redef()) return PIO_NOERR;
  return fail(PIO_ENOTINDEFINE, path_, " is not in define mode; call PIOc_redef first");
}

int Definitions::check_room(const Definition& definition) const {
  if (!needs_redef()) return PIO_NOERR;
  Definition native = definition;
  name_natively(native);
  const bool fits = native.renames() ? native.new_name.size() <= name_rooms_.of(native_, native)
                                     : native.fits_in_place(native_);
  if (fits) return PIO_NOERR;
  return fail(
      PIO_ENOTINDEFINE, path_,
      " is not in define mode, and the definition needs more room than it has; call PIOc_redef first");
}

int Definitions::set_fill_mode(int mode) {
  if (is_classic() && !defining_) {
    at_redef_ = fill_definition(mode);  // of several the last one counts
  } else if (const int code = natively(define(fill_definition(mode))); code != PIO_NOERR) {
    return code;
  }
  fill_mode_ = mode;
  return PIO_NOERR;
}

// ---- the ranks have met in a call ----

// Only a file that can begin again needs them.
void Definitions::agree() { log_.agree(is_classic() || !has_data_); }

// Define mode is that of this interface alone in netCDF-4 files: the underlying library is not called, and
// has the definitions still that it keeps.
void Definitions::are_common(bool of_define_mode) {
  if (!is_classic() && of_define_mode) {
    agree_with_kept();
  } else {
    log_.drop_kept();
  }
}

bool Definitions::native_is_defining() const {
  int defining = 0;
  (void)scorpio_file_inquire(native_, nullptr, nullptr, &defining);
  return defining != 0;
}

int Definitions::begin_define_mode() {
  if (!writable_) return fail(PIO_EPERM, path_, " was opened for reading");
  if (defining_) return fail(PIO_EINDEFINE, path_, " is in define mode already");
  if (!is_classic()) {
    agree();
    defining_ = true;
    return PIO_NOERR;
  }
  const bool continued = native_is_defining();
  const int native = continued ? SCORPIO_OK : scorpio_define_begin(native_);
  defining_ = is_done(native);
  has_own_name_ = has_own_name_ || defining_;
  log_.begin_define_mode();
  if (continued) {
    agree();
  } else if (defining_) {
    log_.forget();
  }
  const int code = natively(native, k_of_storage);
  return defining_ ? first_of(code, define_what_waits()) : code;
}

int Definitions::define_what_waits() {
  if (!at_redef_) return PIO_NOERR;
  const Definition definition = *std::exchange(at_redef_, std::nullopt);
  return natively(define(definition), k_of_storage);
}

// Models enter define mode again for each attribute. If only attributes and names were defined, the
// underlying file stays in define mode until the next call that moves data, so that many definitions cost one
// end of define mode.
int Definitions::end_define_mode() {
  if (defining_) name_rooms_.forget();
  // Definitions in data mode enter define mode in netCDF-4.
  if (!defining_ && (is_classic() || log_.empty()))
    return fail(PIO_ENOTINDEFINE, path_, " is not in define mode");
  if (!is_classic()) {
    agree();
    first_new_variable_ = variable_count();
    defining_ = false;
    return PIO_NOERR;
  }
  if (log_.ends_late()) {
    agree();
    defining_ = false;
    return PIO_NOERR;
  }
  const int native = scorpio_define_end(native_);
  defining_ = !is_done(native) && native == SCORPIO_ERR_LIMIT;
  has_data_ = has_data_ || !defining_;
  if (is_done(native)) log_.forget();
  return natively(native, k_of_storage);
}

int Definitions::resume_define_mode() {
  const int native = scorpio_define_begin(native_);
  defining_ = is_done(native);
  return natively(native, k_of_storage);
}

void Definitions::note_data() {
  if (is_classic()) return;
  has_data_ = true;
  first_new_variable_ = variable_count();
  log_.forget();
}

void Definitions::note_lengths(std::span<const Growth> lengths, bool written) {
  facts_.note_lengths(lengths, written);
}

void Definitions::note_sync() {
  changed_ = false;
  has_own_name_ = true;
  has_data_ = true;
  first_new_variable_ = variable_count();
  log_.forget();
}

int Definitions::close() { return scorpio_file_close(std::exchange(native_, nullptr)); }

}  // namespace scorpio_pio
