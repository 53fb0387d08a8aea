// The files of decompositions, in text and in netCDF. Collective over the communicator or the I/O system.
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/limited_waits.h"
#include "pio/base/define.h"
#include "pio/base/names.h"
#include "pio/base/settings.h"
#include "pio/calls/calls.h"
#include "pio/decompositions/map_file.h"
#include "pio/decompositions/map_text.h"

using namespace scorpio_pio;

extern "C" decltype(PIOc_InitDecomp) scorpio_pio_InitDecomp;

namespace {

// Owns memory that the caller releases by free().
template <typename T>
T* allocated(const std::vector<T>& values) {
  auto* const copy = static_cast<T*>(std::malloc(std::max<size_t>(values.size(), 1) * sizeof(T)));
  if (copy == nullptr) throw std::bad_alloc();
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

// The extents as they stand in a text file, or the reverse: a process in Fortran has its own order there.
std::vector<int> in_order_of_text(std::vector<int> extents) {
  if (settings().fortran_order) std::reverse(extents.begin(), extents.end());
  return extents;
}

int write_text(const char* path, int ioid, std::vector<int> extents, const std::vector<PIO_Offset>& map,
               MPI_Comm comm, const scorpio_iosystem* system = nullptr) {
  return write_map_text(path, ioid, in_order_of_text(std::move(extents)), map, comm, system);
}

int read_text(const std::string& path, MapFile& content, MPI_Comm comm) {
  const int code = read_map_text(path, content.extents, content.map, comm);
  content.extents = in_order_of_text(std::move(content.extents));
  return code;
}

bool ends_with_nc(const std::string& path) { return path.ends_with(".nc"); }

// A netCDF file is read by an I/O system of its own, because there is only a communicator. Rank 0, which
// alone reads texts, decides what the name stands for.
int read_any(const std::string& path, MapFile& content, MPI_Comm comm) {
  int is_netcdf = ends_with_nc(path) ? 1 : 0;
  scorpio_compat::broadcast(&is_netcdf, 1, MPI_INT, 0, comm);
  if (is_netcdf == 0) return read_text(path, content, comm);
  std::shared_ptr<IoSystem> system;
  int code = IoSystem::create(comm, {1, 1, 0}, system);
  if (code != PIO_NOERR) return code;
  code = guarded([&] { return read_map_file(*system, path, content); });
  const int freed = system->free();
  return code != PIO_NOERR ? code : freed;
}

int no_communicator() { return fail(PIO_EINVAL, "the communicator is MPI_COMM_NULL"); }

// Collective.
int hand_over(const MapFile& content, int* ndims, int** gdims, PIO_Offset* fmaplen, PIO_Offset** map,
              MPI_Comm comm) {
  int* extents = nullptr;
  PIO_Offset* elements = nullptr;
  const int own = guarded([&] {
    extents = allocated(content.extents);
    elements = allocated(content.map);
    return PIO_NOERR;
  });
  if (const int code = agreed(own, comm); code != PIO_NOERR) {
    std::free(extents);
    std::free(elements);
    return code;
  }
  *ndims = static_cast<int>(content.extents.size());
  *gdims = extents;
  *fmaplen = static_cast<PIO_Offset>(content.map.size());
  *map = elements;
  return PIO_NOERR;
}

int readmap(const char* function, const char* file, int* ndims, int** gdims, PIO_Offset* fmaplen,
            PIO_Offset** map, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return handled(nullptr, function, no_communicator());
  const int code = guarded([&] {
    int read = check_path(file);
    if (ndims == nullptr || gdims == nullptr || fmaplen == nullptr || map == nullptr)
      read = first_of(read, fail(PIO_EINVAL, "a pointer to what is read is NULL"));
    if (read = agreed(read, comm); read != PIO_NOERR) return read;
    MapFile content;
    if (read = read_any(file, content, comm); read != PIO_NOERR) return read;
    return hand_over(content, ndims, gdims, fmaplen, map, comm);
  });
  return handled(nullptr, function, code);
}

int writemap(const char* function, const char* file, int ioid, int ndims, const int* gdims, PIO_Offset maplen,
             const PIO_Offset* map, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return handled(nullptr, function, no_communicator());
  const int code = guarded([&] {
    int checked = check_path(file);
    if (checked == PIO_NOERR &&
        (ndims < 1 || gdims == nullptr || maplen < 0 || (maplen > 0 && map == nullptr)))
      checked = fail(PIO_EINVAL, "the extents or the map is NULL, or a number is wrong: there are ", ndims,
                     " dimensions and ", maplen, " elements of the map");
    std::vector<int> extents;
    std::vector<PIO_Offset> own;
    if (checked == PIO_NOERR) {
      checked = guarded([&] {
        extents.assign(gdims, gdims + ndims);
        own.assign(map, map + maplen);
        return PIO_NOERR;
      });
    }
    if (checked = agreed(checked, comm); checked != PIO_NOERR) return checked;
    return write_text(file, ioid, std::move(extents), own, comm);
  });
  return handled(nullptr, function, code);
}

int content_of(int iosysid, int ioid, MapFile& content) {
  std::shared_ptr<Decomposition> decomposition;
  if (const int wrong = Registry::instance().look_up(iosysid, ioid, decomposition); wrong != PIO_NOERR)
    return wrong;
  content.extents = decomposition->extents;
  for (const int64_t at : decomposition->layout->index()) content.map.push_back(at + 1);
  return PIO_NOERR;
}

// Of a map that PIOc_InitDecomp counts in an int.
int check_length(const MapFile& content) {
  if (content.map.size() <= INT_MAX) return PIO_NOERR;
  return fail(PIO_EINVAL, "the map of a rank has ", content.map.size(), " elements; at most ", INT_MAX,
              " are possible: read the file with more ranks");
}

// Of an attribute that read_nc_decomp returns in a buffer of PIO_MAX_NAME + 1 characters; NULL: there is
// none.
int check_text(const char* what, const char* text) {
  const size_t length = text == nullptr ? 0 : std::strlen(text);
  if (length <= PIO_MAX_NAME) return PIO_NOERR;
  return fail(PIO_EINVAL, "the ", what, " of the decomposition has ", length, " characters; at most ",
              PIO_MAX_NAME, " are possible");
}

// Copies a text of at most PIO_MAX_NAME characters, as an attribute; this is the size of the caller's buffer.
void copy_text(const std::string& from, char* to) {
  if (to == nullptr) return;
  const size_t n = from.copy(to, PIO_MAX_NAME);
  to[n] = '\0';
}

}  // namespace

PIOC(int, readmap,
     (const char* file, int* ndims, int** gdims, PIO_Offset* fmaplen, PIO_Offset** map, MPI_Comm comm)) {
  return readmap(__func__, file, ndims, gdims, fmaplen, map, comm);
}

PIOC(int, readmap_from_f90,
     (const char* file, int* ndims, int** gdims, PIO_Offset* maplen, PIO_Offset** map, int f90_comm)) {
  return readmap(__func__, file, ndims, gdims, maplen, map, MPI_Comm_f2c(f90_comm));
}

PIOC(int, writemap,
     (const char* file, int ioid, int ndims, const int* gdims, PIO_Offset maplen, const PIO_Offset* map,
      MPI_Comm comm)) {
  return writemap(__func__, file, ioid, ndims, gdims, maplen, map, comm);
}

PIOC(int, writemap_from_f90,
     (const char* file, int ioid, int ndims, const int* gdims, PIO_Offset maplen, const PIO_Offset* map,
      int f90_comm)) {
  return writemap(__func__, file, ioid, ndims, gdims, maplen, map, MPI_Comm_f2c(f90_comm));
}

PIOC(int, write_decomp, (const char* file, int iosysid, int ioid, MPI_Comm comm)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    MapFile content;
    int code = guarded([&] { return content_of(iosysid, ioid, content); });
    if (code == PIO_NOERR) code = check_path(file);
    if (code == PIO_NOERR && comm == MPI_COMM_NULL) code = no_communicator();
    if (code = system.agree(code); code != PIO_NOERR) return code;
    return write_text(file, ioid, content.extents, content.map, comm, system.native());
  });
}

PIOC(int, write_nc_decomp,
     (int iosysid, const char* filename, int cmode, int ioid, const char* title, const char* history,
      int fortran_order)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    MapFile content;
    int code = guarded([&] { return content_of(iosysid, ioid, content); });
    if (code == PIO_NOERR) code = check_path(filename);
    if (code == PIO_NOERR) code = check_text("title", title);
    if (code == PIO_NOERR) code = check_text("history", history);
    if (code = system.agree(code); code != PIO_NOERR) return code;
    content.title = title == nullptr ? "" : title;
    content.history = history == nullptr ? "" : history;
    content.fortran_order = fortran_order != 0;
    return write_map_file(system, filename, cmode, content);
  });
}

PIOC(int, read_nc_decomp,
     (int iosysid, const char* filename, int* ioid, MPI_Comm, int pio_type, char* title, char* history,
      int* fortran_order)) {
  return collective_system_call(__func__, iosysid, [&](IoSystem& system) {
    int code = check_path(filename);
    if (code == PIO_NOERR && ioid == nullptr) code = fail(PIO_EINVAL, "the pointer to the id is NULL");
    if (code = system.agree(code); code != PIO_NOERR) return code;
    MapFile content;
    if (code = read_map_file(system, filename, content); code != PIO_NOERR) return code;
    if (code = system.agree(check_length(content)); code != PIO_NOERR) return code;
    copy_text(content.title, title);
    copy_text(content.history, history);
    if (fortran_order != nullptr) *fortran_order = content.fortran_order ? 1 : 0;
    return scorpio_pio_InitDecomp(iosysid, pio_type, static_cast<int>(content.extents.size()),
                                  content.extents.data(), static_cast<int>(content.map.size()),
                                  content.map.data(), ioid, nullptr, nullptr, nullptr);
  });
}
