// Definitions that differ between the ranks of an open file: all ranks return to what they had in common, and
// make those of the I/O root. Collective over the I/O system where definitions.h says so; one thread.
#include <algorithm>
#include <string>

#include "common/text_of_rank.h"
#include "pio/base/failure.h"
#include "pio/definitions/definitions.h"
#include "scorpio/attribute.h"

namespace scorpio_pio {

// Where the file cannot be made again, each rank returns to what it had when the ranks last agreed; a rank
// that has made no definitions since has it still.
int Definitions::take_those_of_root() {
  const bool again = can_begin_again();
  std::string bytes;
  if (system_.rank() == system_.root()) bytes = log_.not_agreed(again);
  const bool complete = scorpio_compat::take_text_of(system_.root(), bytes, system_.comm());
  int code = again ? begin_again() : return_to_kept();
  if (!complete) code = first_of(code, fail(PIO_ENOMEM, "no memory for the definitions of the I/O root"));
  for (size_t at = 0; code == PIO_NOERR && at < bytes.size();) {
    const int native = define(Definition::from(bytes, at));
    if (!is_done(native)) code = natively(native);
  }
  if (code != PIO_NOERR) return code;
  return fail(PIO_EINVAL, path_, ": the ranks have made different definitions; those of rank ",
              system_.root(), " count");
}

void Definitions::keep_state() {
  if (is_done(scorpio_definitions_keep(native_))) log_.keep();
}

// What the library keeps can be older the more variables a copy of all definitions has.
void Definitions::agree_with_kept() {
  constexpr size_t k_least = 64;
  if (log_.keeps()) log_.agree_with_kept(k_least + static_cast<size_t>(std::max(variable_count(), 0)));
}

int Definitions::return_to_kept() {
  if (!log_.keeps()) return PIO_NOERR;
  int native = scorpio_definitions_undo(native_);
  if (!is_done(native)) {
    log_.drop_kept();
    return natively(native);
  }
  for (Definition& definition : log_.return_to_kept()) {
    name_natively(definition);
    native = definition.make(native_, nullptr);
    if (!is_done(native)) return natively(native);
  }
  facts_ = VariableFacts();
  variable_count_ = -1;
  return PIO_NOERR;
}

// A netCDF-4 file with data is not opened again: its last sync may be posted, and a file of another program
// may list its variables in another order when it has more of them.
bool Definitions::can_begin_again() const {
  return !has_data_ || (is_classic() && has_own_name_ && native_is_defining());
}

// Restores the file as it was before the definitions. It was complete when define mode was entered.
int Definitions::begin_again() {
  const bool is_empty = !has_data_;
  const std::vector<Definition> agreed = log_.begin_again(!is_empty);
  // The close must fail, or the file would get its name. The definitions may differ in what they say here and
  // not in the native file.
  const std::string own = std::to_string(system_.rank());
  (void)scorpio_attribute_put_text(native_, SCORPIO_GLOBAL, "rank", own.c_str());
  (void)scorpio_file_close(native_);
  native_ = nullptr;
  facts_ = VariableFacts();
  variable_count_ = -1;
  int native = is_empty ? create_natively(system_, creation_, &native_)
                        : system_.put_off_posted(scorpio_file_open(system_.native(), path_.c_str(),
                                                                   SCORPIO_WRITE, nullptr, &native_));
  first_own_variable_ = is_done(native) ? variable_count() : 0;
  if (is_done(native) && !is_empty && is_classic()) native = scorpio_define_begin(native_);
  for (const Definition& definition : agreed) {
    if (is_done(native)) native = define(definition);
  }
  agree();
  return natively(native);
}

}  // namespace scorpio_pio
