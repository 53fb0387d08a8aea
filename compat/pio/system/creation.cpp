#include "pio/system/creation.h"

#include <utility>

#include "common/option_set.h"
#include "common/text_of_rank.h"
#include "pio.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/base/paths.h"

namespace scorpio_pio {

namespace {

// Collective: what target_of() returns on the I/O root. `fits`: whether this rank has memory for it.
std::string agreed_target(const IoSystem& system, const std::string& path, bool& fits) {
  std::string target;
  const auto ask = [&] {
    if (system.rank() == system.root()) target = target_of(path);
    return PIO_NOERR;
  };
  (void)guarded(ask);
  fits = scorpio_compat::take_text_of(system.root(), target, system.comm());
  return target;
}

int create_at(const IoSystem& system, const Creation& creation, scorpio_file** file) {
  // A rank without memory for the options makes the call without them: the ranks agree that theirs differ.
  scorpio_compat::OptionSet options;
  // Free space after the header holds definitions that are added later, as models do.
  options.set("header_free", std::to_string(PIO_RESERVED_FILE_HEADER_SIZE));
  if ((creation.mode & PIO_NOCLOBBER) != 0) options.set("replace", "false");
  if (creation.waits) options.set("close", "wait");
  for (const auto& [option, value] : system.hints) options.set(option.c_str(), value);
  return scorpio_file_create(system.native(), creation.path.c_str(), creation.format, options.get(), file);
}

}  // namespace

// The underlying library does not replace symbolic links. Here they are followed, as in netCDF and PnetCDF.
// A rank without memory for the target makes the call with an empty path, which fails on all ranks.
int create_natively(IoSystem& system, Creation& creation, scorpio_file** file) {
  const int code = create_at(system, creation, file);
  if (code != SCORPIO_ERR_EXISTS || (creation.mode & PIO_NOCLOBBER) != 0) return system.put_off_posted(code);
  bool fits = true;
  std::string target = agreed_target(system, creation.path, fits);
  if (target.empty() && fits) return code;
  creation.path = std::move(target);
  return system.put_off_posted(create_at(system, creation, file));
}

int code_of_creation(int native, int mode) {
  const int code = natively(native, {PIO_EBADID, k_no_such_file, PIO_EINVAL});
  // A file that is being created has a temporary name: it is busy, and for the program it exists.
  const bool exists = native == SCORPIO_ERR_EXISTS;
  if ((mode & PIO_NOCLOBBER) != 0 && (exists || native == SCORPIO_ERR_BUSY))
    return fail_with(PIO_EEXIST, reason());
  return exists ? fail_with(PIO_EPERM, reason()) : code;
}

}  // namespace scorpio_pio
