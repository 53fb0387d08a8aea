#include "pio/system/creation.h"

#include <filesystem>
#include <system_error>

#include "common/option_set.h"
#include "common/text_of_rank.h"
#include "pio.h"
#include "pio/base/failure.h"

namespace scorpio_pio {

namespace {

// Runs on the I/O root: what a symbolic link names, there or not; empty if `path` is none.
std::string target_of(const std::string& path) {
  constexpr int k_most_links = 40;  // as Linux follows them
  std::error_code ignored;          // also that there is nothing yet
  std::filesystem::path at = path;
  int links = 0;
  for (; links < k_most_links && std::filesystem::is_symlink(at, ignored); ++links)
    at = at.parent_path() / std::filesystem::read_symlink(at, ignored);
  return links == 0 || links == k_most_links ? "" : at.string();
}

// Collective.
std::string agreed_target(const IoSystem& system, const std::string& path) {
  std::string target = system.rank() == system.root() ? target_of(path) : "";
  (void)scorpio_compat::take_text_of(system.root(), target, system.comm());
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
int create_natively(const IoSystem& system, Creation& creation, scorpio_file** file) {
  const int code = create_at(system, creation, file);
  if (code != SCORPIO_ERR_EXISTS || (creation.mode & PIO_NOCLOBBER) != 0) return code;
  const std::string target = agreed_target(system, creation.path);
  if (target.empty()) return code;
  creation.path = target;
  return create_at(system, creation, file);
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
