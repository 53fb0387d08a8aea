#include "pio/decompositions/map_file.h"

#include <algorithm>
#include <climits>

#include "common/limited_waits.h"
#include "common/volume.h"
#include "pio/base/failure.h"
#include "pio/base/guarded.h"
#include "pio/base/iotypes.h"
#include "pio/system/creation.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

namespace {

constexpr int k_most_text = 8192;

// The first failure counts; calls that communicate are made by all ranks whatever failed before.
class Steps {
 public:
  void operator()(int native) {
    if (code_ == PIO_NOERR) code_ = natively(native, {PIO_ENOTNC, PIO_ENOTNC, PIO_ENOTNC});
  }
  int code() const { return code_; }

 private:
  int code_ = PIO_NOERR;
};

scorpio_format format_of(int mode, bool large) {
  if ((mode & k_netcdf4_mode) != 0) return SCORPIO_FORMAT_NETCDF4;
  return large ? SCORPIO_FORMAT_CDF5 : classic_format(mode);
}

struct Ids {
  int sizes = -1, lengths = -1, map = -1;
};

Ids define(scorpio_file* file, const MapFile& content, int64_t ranks, int64_t longest, bool large,
           Steps& step) {
  int dims = -1, task = -1, element = -1;
  step(scorpio_dimension_define(file, DECOMP_DIM_DIM, static_cast<int64_t>(content.extents.size()), &dims));
  step(scorpio_dimension_define(file, DECOMP_TASK_DIM_NAME, ranks, &task));
  step(scorpio_dimension_define(file, DECOMP_MAPELEM_DIM_NAME, std::max<int64_t>(longest, 1), &element));
  Ids ids;
  const int both[] = {task, element};
  const scorpio_type type = large ? SCORPIO_INT64 : SCORPIO_INT32;
  step(scorpio_variable_define_on(file, DECOMP_GLOBAL_SIZE_VAR_NAME, SCORPIO_INT32, 1, &dims, &ids.sizes));
  const scorpio_type length_type = longest > INT_MAX ? SCORPIO_INT64 : SCORPIO_INT32;
  step(scorpio_variable_define_on(file, DECOMP_MAPLEN_VAR_NAME, length_type, 1, &task, &ids.lengths));
  step(scorpio_variable_define_on(file, DECOMP_MAP_VAR_NAME, type, 2, both, &ids.map));
  step(scorpio_variable_fill_define(file, ids.map, 1, nullptr));
  const auto version = std::to_string(PIO_VERSION_MAJOR) + "." + std::to_string(PIO_VERSION_MINOR) + "." +
                       std::to_string(PIO_VERSION_PATCH);
  const auto text = [&](const char* name, const std::string& value) {
    step(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, name, value.c_str()));
  };
  text(DECOMP_VERSION_ATT_NAME, version);
  const int64_t one[] = {1};
  step(scorpio_attribute_put(file, SCORPIO_GLOBAL, DECOMP_MAX_MAPLEN_ATT_NAME, length_type, 1, 1, one,
                             SCORPIO_INT64, &longest));
  if (!content.title.empty()) text(DECOMP_TITLE_ATT_NAME, content.title);
  if (!content.history.empty()) text(DECOMP_HISTORY_ATT_NAME, content.history);
  text(DECOMP_SOURCE_ATT_NAME, "Decomposition file produced by PIO library.");
  text(DECOMP_ORDER_ATT_NAME, content.fortran_order ? DECOMP_FORTRAN_ORDER_STR : DECOMP_C_ORDER_STR);
  return ids;
}

void put(scorpio_file* file, const Ids& ids, const MapFile& content, int rank, Steps& step) {
  const int64_t origin[] = {0};
  const int64_t all[] = {static_cast<int64_t>(content.extents.size())};
  scorpio_access sizes = scorpio_hyperslab(ids.sizes, origin, all, SCORPIO_INT32, content.extents.data());
  sizes.sharing = SCORPIO_ALL_RANKS;
  step(scorpio_put(file, &sizes));
  const auto length = static_cast<int64_t>(content.map.size());
  const int64_t row[] = {rank, 0};
  const int64_t one[] = {1, 1};
  const scorpio_access lengths = scorpio_hyperslab(ids.lengths, row, one, SCORPIO_INT64, &length);
  step(scorpio_put(file, &lengths));
  const int64_t part[] = {length > 0 ? 1 : 0, length};
  const scorpio_access map = scorpio_hyperslab(ids.map, row, part, SCORPIO_INT64, content.map.data());
  step(scorpio_put(file, &map));
}

std::string text_of(scorpio_file* file, const char* name) {
  std::string text(k_most_text, '\0');
  size_t length = 0;
  if (scorpio_attribute_get_text(file, SCORPIO_GLOBAL, name, text.data(), text.size(), &length) != SCORPIO_OK)
    return "";
  text.resize(std::min(length, text.size() - 1));
  return text;
}

// The extents of a variable of the file; empty: there is none, or it has other dimensions.
std::vector<int64_t> extents_of(scorpio_file* file, const char* name, size_t ndims, int& id) {
  int found = 0;
  std::vector<int64_t> extents(ndims);
  if (scorpio_variable_find(file, name, &id) != SCORPIO_OK ||
      scorpio_variable_inquire(file, id, nullptr, nullptr, &found, extents.data(), static_cast<int>(ndims)) !=
          SCORPIO_OK ||
      found != static_cast<int>(ndims))
    return {};
  return extents;
}

int get(IoSystem& system, scorpio_file* file, MapFile& content) {
  Ids ids;
  const auto sizes = extents_of(file, DECOMP_GLOBAL_SIZE_VAR_NAME, 1, ids.sizes);
  const auto lengths = extents_of(file, DECOMP_MAPLEN_VAR_NAME, 1, ids.lengths);
  const auto maps = extents_of(file, DECOMP_MAP_VAR_NAME, 2, ids.map);
  if (sizes.empty() || lengths.empty() || maps.empty() || lengths[0] != maps[0])
    return fail(PIO_ENOTNC,
                "the file does not contain a decomposition: it needs the variables global_size(dims), "
                "maplen(task) and map(task, map_element)");
  if (lengths[0] > system.ranks())
    return fail(PIO_EINVAL, "the file holds the maps of ", lengths[0], " ranks; it cannot be read on ",
                system.ranks());
  if (sizes[0] > PIO_MAX_VAR_DIMS)
    return fail(PIO_ENOTNC, "the file is damaged: its array has ", sizes[0], " dimensions");
  Steps step;
  content.extents.resize(static_cast<size_t>(sizes[0]));
  std::vector<int64_t> all(static_cast<size_t>(lengths[0]));
  const int64_t origin[] = {0};
  scorpio_access access =
      scorpio_hyperslab(ids.sizes, origin, sizes.data(), SCORPIO_INT32, content.extents.data());
  access.sharing = SCORPIO_ALL_RANKS;
  step(scorpio_get(file, &access));
  access = scorpio_hyperslab(ids.lengths, origin, lengths.data(), SCORPIO_INT64, all.data());
  access.sharing = SCORPIO_ALL_RANKS;
  step(scorpio_get(file, &access));
  if (step.code() != PIO_NOERR) return step.code();
  for (const int extent : content.extents) {
    if (extent < 1) return fail(PIO_ENOTNC, "the file is damaged: an extent of its array is ", extent);
  }
  for (const int64_t length : all) {
    if (length < 0 || length > maps[1])
      return fail(PIO_ENOTNC, "the file is damaged: the length of a map is ", length);
  }
  const bool mine = system.rank() < lengths[0];
  const int64_t length = mine ? all[static_cast<size_t>(system.rank())] : 0;
  const int memory = guarded([&] {
    content.map.resize(static_cast<size_t>(length));
    return PIO_NOERR;
  });
  if (const int agreed = system.agree(memory); agreed != PIO_NOERR) return agreed;
  const int64_t row[] = {mine ? system.rank() : 0, 0};
  const int64_t part[] = {length > 0 ? 1 : 0, length};
  const scorpio_access map = scorpio_hyperslab(ids.map, row, part, SCORPIO_INT64, content.map.data());
  step(scorpio_get(file, &map));
  return step.code();
}

// More than an int can count.
bool is_large(const std::vector<int>& extents) {
  return scorpio_compat::volume(extents).value_or(INT64_MAX) > INT_MAX;
}

}  // namespace

int write_map_file(IoSystem& system, const std::string& path, int mode, const MapFile& content) {
  auto longest = static_cast<int64_t>(content.map.size());
  scorpio_compat::all_reduce(&longest, 1, MPI_INT64_T, MPI_MAX, system.comm());
  const bool large = is_large(content.extents) || longest > INT_MAX;
  Creation creation{path, format_of(mode, large), mode};
  creation.waits = true;
  scorpio_file* file = nullptr;
  const int created = create_natively(system, creation, &file);
  if (file == nullptr) return code_of_creation(created, mode);
  Steps step;
  step(created);
  const Ids ids = define(file, content, system.ranks(), longest, large, step);
  if (creation.format != SCORPIO_FORMAT_NETCDF4) step(scorpio_define_end(file));
  put(file, ids, content, system.rank(), step);
  step(system.put_off_posted(scorpio_file_close(file)));
  return step.code();
}

int read_map_file(IoSystem& system, const std::string& path, MapFile& content) {
  scorpio_file* file = nullptr;
  const int native = scorpio_file_open(system.native(), path.c_str(), SCORPIO_READ, nullptr, &file);
  const int opened = natively(system.put_off_posted(native), {PIO_EBADID, k_no_such_file, PIO_ENOTNC});
  if (file == nullptr) return opened;
  // The file is closed whatever happens.
  const int read = guarded([&] {
    const int got = get(system, file, content);
    content.title = text_of(file, DECOMP_TITLE_ATT_NAME);
    content.history = text_of(file, DECOMP_HISTORY_ATT_NAME);
    content.fortran_order = text_of(file, DECOMP_ORDER_ATT_NAME) == DECOMP_FORTRAN_ORDER_STR;
    return got;
  });
  const int code = opened != PIO_NOERR ? opened : read;
  const int closed = natively(system.put_off_posted(scorpio_file_close(file)));
  return code != PIO_NOERR ? code : closed;
}

}  // namespace scorpio_pio
