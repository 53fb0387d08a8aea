#include "netcdf_maps.h"

#include <fmt/format.h>

#include <algorithm>

#include "netcdf_file.h"

namespace job_plan {

namespace {

using Numbers = std::vector<int64_t>;

// Adds the indices of one run of the array.
void add_run(const std::string& where, const Maps& maps, int64_t begin, int64_t length, Numbers& indices) {
  const int64_t elements = maps.elements();
  if (begin < 0 || length < 0 || begin > elements || length > elements - begin) {
    throw BadInput(fmt::format("{}: a run of {} elements from element {} is outside of the array of {}",
                               where, length, begin, elements));
  }
  for (int64_t i = 0; i < length; ++i) indices.push_back(begin + i);
}

// Runs from number fill_starts[rank] on are elements that the rank does not hold.
Maps read_e3sm(const NetcdfFile& file, const std::string& name) {
  const std::string where = fmt::format("{}, {}", file.path(), name);
  const auto dims = file.attribute(name + ".dims");
  if (!dims) throw BadInput(fmt::format("{}: the attribute {}.dims is missing", file.path(), name));
  Maps maps{"the E3SM I/O benchmark's form, " + name, *dims, {}};
  check_dims(where, maps.dims);
  const Numbers counts = file.numbers(name + ".nreqs"), starts = file.numbers(name + ".offsets"),
                lengths = file.numbers(name + ".lengths");
  const Numbers held = file.has(name + ".fill_starts") ? file.numbers(name + ".fill_starts") : counts;
  if (held.size() != counts.size() || starts.size() != lengths.size())
    throw BadInput(where + ": its variables do not have the same lengths");
  size_t run = 0;
  for (size_t rank = 0; rank < counts.size(); ++rank) {
    Numbers& indices = maps.indices.emplace_back();
    if (counts[rank] < 0 || static_cast<uint64_t>(counts[rank]) > starts.size() - run) {
      throw BadInput(fmt::format("{}: rank {} has {} runs, but only {} are left in the file", where, rank,
                                 counts[rank], starts.size() - run));
    }
    for (int64_t i = 0; i < counts[rank]; ++i, ++run) {
      if (i < held[rank]) add_run(where, maps, starts[run], lengths[run], indices);
    }
  }
  return maps;
}

Maps read_old_e3sm(const NetcdfFile& file) {
  const auto ranks = file.dimension("num_procs"), elements = file.dimension("array_size");
  if (!ranks || !elements) throw BadInput(file.path() + ": the dimension num_procs or array_size is missing");
  Maps maps{"the E3SM I/O benchmark's older form", {*elements}, {}};
  check_dims(file.path(), maps.dims);
  for (int64_t rank = 0; rank < *ranks; ++rank) {
    Numbers& indices = maps.indices.emplace_back();
    const Numbers starts = file.numbers(fmt::format("off_{:05}", rank));
    const Numbers lengths = file.numbers(fmt::format("len_{:05}", rank));
    const std::string where = fmt::format("{}, rank {}", file.path(), rank);
    if (starts.size() != lengths.size())
      throw BadInput(where + ": its variables do not have the same lengths");
    for (size_t run = 0; run < starts.size(); ++run) add_run(where, maps, starts[run], lengths[run], indices);
  }
  return maps;
}

Maps read_pio(const NetcdfFile& file) {
  Maps maps{"PIO's netCDF form", file.numbers("global_size"), {}};
  check_dims(file.path(), maps.dims);
  const int64_t elements = maps.elements();
  const Numbers lengths = file.numbers("maplen"), shape = file.extents("map"), all = file.numbers("map");
  const auto ranks = static_cast<int64_t>(lengths.size());
  if (shape.size() != 2 || shape[0] != ranks)
    throw BadInput(fmt::format("{}: the variable map does not have {} rows", file.path(), ranks));
  for (int64_t rank = 0; rank < ranks; ++rank) {
    const int64_t length = lengths[static_cast<size_t>(rank)];
    if (length < 0 || length > shape[1]) {
      throw BadInput(fmt::format("{}: the map of rank {} has {} elements, not 0 to {}", file.path(), rank,
                                 length, shape[1]));
    }
    Numbers& indices = maps.indices.emplace_back();
    for (int64_t i = 0; i < length; ++i) {
      const int64_t at = all[static_cast<size_t>(rank * shape[1] + i)];
      if (at < 0 || at > elements) {
        throw BadInput(fmt::format("{}: an element of the map of rank {} is {}, not 0 to {}", file.path(),
                                   rank, at, elements));
      }
      indices.push_back(at - 1);
    }
  }
  return maps;
}

}  // namespace

Maps read_netcdf_maps(const std::string& path, int decomposition) {
  const NetcdfFile file(path);
  const std::string name = fmt::format("D{}", decomposition);
  Maps maps;
  if (file.has(name + ".nreqs")) {
    maps = read_e3sm(file, name);
  } else if (file.has("D1.nreqs")) {
    throw BadInput(fmt::format("{}: decomposition {} is not in it", path, name));
  } else if (decomposition > 1) {
    throw BadInput(fmt::format("{}: decomposition {}, but the form of this file holds one only", path, name));
  } else if (file.has("off_00000")) {
    maps = read_old_e3sm(file);
  } else if (file.has("maplen") && file.has("map") && file.has("global_size")) {
    maps = read_pio(file);
  } else {
    throw BadInput(path + ": is a netCDF file without a decomposition of the E3SM I/O benchmark or PIO");
  }
  if (maps.indices.empty()) throw BadInput(path + ": holds the maps of 0 ranks");
  return maps;
}

}  // namespace job_plan
