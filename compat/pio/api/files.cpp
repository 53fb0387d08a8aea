// Files. Collective over the I/O system where a comment says so, else Local.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "common/limited_waits.h"
#include "pio/base/define.h"
#include "pio/base/iotypes.h"
#include "pio/base/names.h"
#include "pio/base/paths.h"
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

int number_of(scorpio_format format) {
  switch (format) {
    case SCORPIO_FORMAT_CDF1:
      return NC_FORMAT_CLASSIC;
    case SCORPIO_FORMAT_CDF2:
      return NC_FORMAT_64BIT_OFFSET;
    case SCORPIO_FORMAT_CDF5:
      return NC_FORMAT_CDF5;
    case SCORPIO_FORMAT_HDF5:
    case SCORPIO_FORMAT_NETCDF4:
      return NC_FORMAT_NETCDF4;
    case SCORPIO_FORMAT_DEFAULT:  // no file has it
      break;
  }
  return 0;
}

bool is_unfinished(const File* file) { return !file->definitions().has_own_name(); }

// Runs on the I/O root: the number of the unfinished file at this path; 0: there is none.
int unfinished_at(const IoSystem& system, const std::string& path) {
  const std::string place = resolved_path(path);
  if (place.empty()) return 0;
  const auto found = std::ranges::find_if(system.files, [&](const File* file) {
    return is_unfinished(file) && resolved_path(file->path()) == place;
  });
  return found == system.files.end() ? 0 : (*found)->number();
}

// Collective. A new file has its name from its first sync on; programs that open or delete it before get it
// by this call. The I/O root determines for all ranks which file this is.
int name_unfinished(IoSystem& system, const char* path) {
  if (std::ranges::none_of(system.files, is_unfinished)) return PIO_NOERR;
  const bool is_root = system.rank() == system.root();
  int number = is_root ? guarded([&] { return unfinished_at(system, path); }) : 0;
  scorpio_compat::broadcast(&number, 1, MPI_INT, system.root(), system.comm());
  if (number < 0) return is_root ? number : fail(number, path, ": the I/O root has no memory for its path");
  const auto found =
      std::ranges::find_if(system.files, [&](const File* file) { return file->number() == number; });
  return found == system.files.end() ? PIO_NOERR : (*found)->sync(Call::sync, true);
}

int iotype_of(int cmode) {
  if ((cmode & k_netcdf4_mode) == 0) return PIO_IOTYPE_NETCDF;
  return (cmode & k_parallel_mode) != 0 ? PIO_IOTYPE_NETCDF4P : PIO_IOTYPE_NETCDF4C;
}

// Collective: the ranks agree that they can make the call, and have memory for the file. `check`: returns 0
// or a code.
template <typename Check>
int make_room(const IoSystem& system, const int* iotype, Registry::Node<File>& node, Check&& check) {
  return system.agree(guarded([&] {
    if (const int wrong = check(); wrong != PIO_NOERR) return wrong;
    node =
        Registry::instance().node_of(std::make_shared<File>(IoSystems::instance().find(system.id), *iotype));
    return PIO_NOERR;
  }));
}

// The file is open: its id becomes known. A failure of a posted close ends the program at once where the
// handler says so.
int enter(IoSystem& system, Registry::Node<File> node, int* ncidp) {
  *ncidp = Registry::instance().add(std::move(node), system.id);
  return system.handler == PIO_INTERNAL_ERROR ? system.with_posted(PIO_NOERR) : PIO_NOERR;
}

// Collective.
int create(IoSystem& system, const char* path, const int* iotype, int mode, bool filled, int* ncidp) {
  Registry::Node<File> node;
  Creation creation;
  int code = make_room(system, iotype, node, [&] {
    if (const int wrong = check_places(iotype, path, ncidp); wrong != PIO_NOERR) return wrong;
    if (const int wrong = check_creation(*iotype, path); wrong != PIO_NOERR) return wrong;
    creation = {path, format_of(*iotype, mode), mode, compresses(*iotype)};
    return PIO_NOERR;
  });
  if (code != PIO_NOERR) return code;
  scorpio_file* native = nullptr;
  code = code_of_creation(create_natively(system, creation, &native), mode);
  if (native == nullptr) return code;
  File& file = *node.mapped();
  file.attach(native, std::move(creation));
  if (filled) file.remember(guarded([&] { return file.definitions().set_fill_mode(PIO_FILL); }));
  return enter(system, std::move(node), ncidp);
}

int check_opening(const int* iotype, const char* path, const int* ncidp) {
  if (const int wrong = check_places(iotype, path, ncidp); wrong != PIO_NOERR) return wrong;
  if (is_iotype(*iotype)) return PIO_NOERR;
  return fail(PIO_EBADIOTYPE, path, ": ", *iotype, " is not an I/O type");
}

// Collective. Every I/O type opens every file.
int open(const char* function, int iosysid, int* ncidp, const int* iotype, const char* path, int mode) {
  return collective_system_call(function, iosysid, [&](IoSystem& system) {
    Registry::Node<File> node;
    int code = make_room(system, iotype, node, [&] { return check_opening(iotype, path, ncidp); });
    if (code != PIO_NOERR) return code;
    if (code = name_unfinished(system, path); code != PIO_NOERR) return code;
    scorpio_file* native = nullptr;
    const scorpio_open_mode native_mode = (mode & PIO_WRITE) != 0 ? SCORPIO_WRITE : SCORPIO_READ;
    const int opened = scorpio_file_open(system.native(), path, native_mode, nullptr, &native);
    code = natively(system.put_off_posted(opened), {PIO_EBADID, k_no_such_file, PIO_EINVAL});
    if (native == nullptr) return code;
    node.mapped()->attach(native, {});
    return enter(system, std::move(node), ncidp);
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
  return collective_file_call(__func__, ncid, Call::close, [&](File& file) {
    const int code = file.close();
    if (!file.is_closed()) return code;
    Registry::instance().remove_file(ncid);
    return file.system().with_posted(code);
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
    return system.with_posted(deleted != PIO_NOERR ? deleted : completed);
  });
}

// Collective.
PIOC(int, sync, (int ncid)) {
  return collective_file_call(__func__, ncid, Call::sync, [](File& file) { return file.sync(); });
}

// Returns 1 or 0.
PIOC(int, File_is_Open, (int ncid)) { return Registry::instance().file(ncid) != nullptr ? 1 : 0; }

// Collective.
PIOC(int, redef, (int ncid)) {
  return collective_file_call(__func__, ncid, Call::redef, [](File& file) { return file.redef(); });
}

// Collective.
PIOC(int, enddef, (int ncid)) {
  return collective_file_call(__func__, ncid, Call::enddef, [](File& file) { return file.enddef(); });
}

// Applies to the variables of this define mode, including those that are defined already; in data mode of a
// classic file, to those of the next one.
PIOC(int, set_fill, (int ncid, int fillmode, int* old_modep)) {
  return file_change(__func__, ncid, [&](File& file) {
    if (fillmode != PIO_FILL && fillmode != PIO_NOFILL)
      return fail(PIO_EINVAL, fillmode, " is not a fill mode: PIO_FILL is 0, PIO_NOFILL is 256");
    if (!file.is_writable()) return fail(PIO_EPERM, file.path(), " was opened for reading");
    if (old_modep != nullptr) *old_modep = file.definitions().fill_mode();
    return file.definitions().set_fill_mode(fillmode);
  });
}

PIOC(int, inq_format, (int ncid, int* formatp)) {
  return handled_file_inquiry(__func__, ncid, [&](File& file) {
    if (formatp != nullptr) *formatp = number_of(file.format());
    return PIO_NOERR;
  });
}
