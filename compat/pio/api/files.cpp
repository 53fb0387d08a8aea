// Files. Collective over the I/O system where a comment says so, else Local.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "common/compared_words.h"
#include "common/limited_waits.h"
#include "pio/base/define.h"
#include "pio/base/iotypes.h"
#include "pio/base/names.h"
#include "pio/calls/calls.h"

using namespace scorpio_pio;

namespace {

int check_places(const int* iotype, const char* path, const int* ncidp) {
  if (const int wrong = check_path(path); wrong != PIO_NOERR) return wrong;
  if (iotype != nullptr && ncidp != nullptr) return PIO_NOERR;
  return fail(PIO_EINVAL, path, ": the pointer to the I/O type or to the id of the file is NULL");
}

int check_creation(int iotype, const char* path) {
  if (is_available(iotype)) return PIO_NOERR;
  const bool adios = iotype == PIO_IOTYPE_ADIOS || iotype == PIO_IOTYPE_ADIOSC;
  const bool zarr = iotype == PIO_IOTYPE_NETCDF4P_NCZARR;
  return fail(zarr ? PIO_ENOTBUILT : PIO_EBADIOTYPE, path, ": ",
              adios  ? "ADIOS files"
              : zarr ? "NCZarr files"
                     : "files of this I/O type",
              " (", iotype,
              ") cannot be created; use PIO_IOTYPE_PNETCDF (1), or PIO_IOTYPE_NETCDF4P (4) for ",
              "netCDF-4; SCORPIO_ASYNCHRONOUS=true writes while the program computes");
}

// The bits of the classic formats mean nothing for netCDF-4.
scorpio_format format_of(int iotype, int mode) {
  return makes_netcdf4(iotype) ? SCORPIO_FORMAT_NETCDF4 : classic_format(mode);
}

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

// Collective. A new file has its name from its first sync on; programs that open or delete it before get it
// by this call.
int name_unfinished(IoSystem& system, const std::string& path) {
  File* found = nullptr;
  bool any = false;
  for (File* file : system.files) {
    any = any || !file->definitions().has_own_name();
    if (!file->definitions().has_own_name() && absolute(file->path()) == absolute(path)) found = file;
  }
  if (!any) return PIO_NOERR;
  const auto number = static_cast<uint64_t>(found == nullptr ? 0 : found->number());
  scorpio_compat::ComparedWords<2> numbers;
  numbers.compare(0, number);
  scorpio_compat::all_reduce(numbers.data(), numbers.count(), MPI_UINT64_T, MPI_MAX, system.comm());
  if (!numbers.all_equal(0)) return fail(PIO_EINVAL, path, ": the ranks open different files");
  return found == nullptr ? PIO_NOERR : found->sync(Call::sync, true);
}

int iotype_of(int cmode) {
  if ((cmode & k_netcdf4_mode) == 0) return PIO_IOTYPE_NETCDF;
  return (cmode & k_parallel_mode) != 0 ? PIO_IOTYPE_NETCDF4P : PIO_IOTYPE_NETCDF4C;
}

// Collective.
int create(IoSystem& system, const char* path, const int* iotype, int mode, bool filled, int* ncidp) {
  int code = check_places(iotype, path, ncidp);
  if (code == PIO_NOERR) code = check_creation(*iotype, path);
  if (code = system.agree(code); code != PIO_NOERR) return code;
  Creation creation{path, format_of(*iotype, mode), mode, compresses(*iotype)};
  scorpio_file* native = nullptr;
  const int made = create_natively(system, creation, &native);
  code = code_of_creation(made, mode);
  if (!is_done(made)) return code;
  const auto file = std::make_shared<File>(IoSystems::instance().find(system.id), *iotype, native, creation);
  const int defined = filled ? file->definitions().set_fill_mode(PIO_FILL) : PIO_NOERR;
  *ncidp = Registry::instance().add(file, system.id);
  return code != PIO_NOERR ? code : defined;
}

int check_opening(const int* iotype, const char* path, const int* ncidp) {
  if (const int wrong = check_places(iotype, path, ncidp); wrong != PIO_NOERR) return wrong;
  if (is_iotype(*iotype)) return PIO_NOERR;
  return fail(PIO_EBADIOTYPE, path, ": ", *iotype, " is not an I/O type");
}

// Collective. Every I/O type opens every file.
int open(const char* function, int iosysid, int* ncidp, const int* iotype, const char* path, int mode) {
  return collective_system_call(function, iosysid, [&](IoSystem& system) {
    int code = system.agree(check_opening(iotype, path, ncidp));
    if (code != PIO_NOERR) return code;
    if (code = name_unfinished(system, path); code != PIO_NOERR) return code;
    scorpio_file* native = nullptr;
    const scorpio_open_mode native_mode = (mode & PIO_WRITE) != 0 ? SCORPIO_WRITE : SCORPIO_READ;
    const int opened = scorpio_file_open(system.native(), path, native_mode, nullptr, &native);
    code = natively(opened, {PIO_EBADID, k_no_such_file, PIO_EINVAL});
    if (!is_done(opened)) return code;
    const auto file =
        std::make_shared<File>(IoSystems::instance().find(iosysid), *iotype, native, Creation{});
    *ncidp = Registry::instance().add(file, iosysid);
    return code;
  });
}

// Collective. Files whose close was posted get their names, so that one of them is not named after it was
// deleted.
int complete_posted(const IoSystem& system) {
  return natively(scorpio_iosystem_wait(system.native(), nullptr));
}

// Runs on the I/O root.
int delete_path(const char* path) {
  if (::unlink(path) == 0) return PIO_NOERR;
  return fail(-1, path, " cannot be deleted: ", std::strerror(errno));
}

}  // namespace

// Collective. The file is in define mode and is not filled.
PIOC(int, createfile, (int iosysid, int* ncidp, const int* iotype, const char* fname, int mode)) {
  return collective_system_call(
      __func__, iosysid, [&](IoSystem& system) { return create(system, fname, iotype, mode, false, ncidp); });
}

// Collective. The file is in define mode and is filled.
PIOC(int, create, (int iosysid, const char* path, int cmode, int* ncidp)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    const int iotype = iotype_of(cmode);
    return create(system, path, &iotype, cmode, true, ncidp);
  });
}

PIOC(int, openfile, (int iosysid, int* ncidp, int* iotype, const char* fname, int mode)) {
  return open(__func__, iosysid, ncidp, iotype, fname, mode);
}

PIOC(int, openfile2, (int iosysid, int* ncidp, int* iotype, const char* fname, int mode)) {
  return open(__func__, iosysid, ncidp, iotype, fname, mode);
}

PIOC(int, openfile_retry, (int iosysid, int* ncidp, int* iotype, const char* filename, int mode, int)) {
  return open(__func__, iosysid, ncidp, iotype, filename, mode);
}

PIOC(int, open, (int iosysid, const char* path, int mode, int* ncidp)) {
  const int iotype = PIO_IOTYPE_NETCDF;
  return open(__func__, iosysid, ncidp, &iotype, path, mode);
}

// Collective.
PIOC(int, closefile, (int ncid)) {
  return collective_call(__func__, ncid, Call::close, [&](File& file) {
    const int code = file.close();
    if (file.is_closed()) Registry::instance().remove_file(ncid);
    return code;
  });
}

// Collective.
PIOC(int, deletefile, (int iosysid, const char* filename)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    const int code = system.agree(check_path(filename));
    if (code != PIO_NOERR) return code;
    int completed = name_unfinished(system, filename);
    completed = first_of(completed, complete_posted(system));
    const int deleted = system.agree(system.rank() == system.root() ? delete_path(filename) : PIO_NOERR);
    return deleted != PIO_NOERR ? deleted : completed;
  });
}

// Collective.
PIOC(int, sync, (int ncid)) {
  return collective_call(__func__, ncid, Call::sync, [](File& file) { return file.sync(); });
}

// Returns 1 or 0.
PIOC(int, File_is_Open, (int ncid)) { return Registry::instance().file(ncid) != nullptr ? 1 : 0; }

// Collective.
PIOC(int, redef, (int ncid)) {
  return collective_call(__func__, ncid, Call::redef, [](File& file) { return file.redef(); });
}

// Collective.
PIOC(int, enddef, (int ncid)) {
  return collective_call(__func__, ncid, Call::enddef, [](File& file) { return file.enddef(); });
}

// Applies to the variables of this define mode, including those that are defined already; in data mode of a
// classic file, to those of the next one.
PIOC(int, set_fill, (int ncid, int fillmode, int* old_modep)) {
  return local_call(__func__, ncid, [&](File& file) {
    if (fillmode != PIO_FILL && fillmode != PIO_NOFILL)
      return fail(PIO_EINVAL, fillmode, " is not a fill mode: PIO_FILL is 0, PIO_NOFILL is 256");
    if (!file.is_writable()) return fail(PIO_EPERM, file.path(), " was opened for reading");
    if (old_modep != nullptr) *old_modep = file.definitions().fill_mode();
    return file.definitions().set_fill_mode(fillmode);
  });
}

PIOC(int, inq_format, (int ncid, int* formatp)) {
  return checked_inquiry(__func__, ncid, [&](File& file) {
    constexpr int k_numbers[] = {0, 3, 1, 2, 5, 3};
    if (formatp != nullptr) *formatp = k_numbers[file.format()];
    return PIO_NOERR;
  });
}
