#include "netcdf_file.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "maps.h"

namespace job_plan {

NetcdfFile::NetcdfFile(std::string path) : path_(std::move(path)) {
  int running = 0;
  MPI_Initialized(&running);
  if (running == 0) {
    MPI_Init(nullptr, nullptr);
    started_mpi_ = true;
  }
  try {
    open();
  } catch (...) {
    release();
    throw;
  }
}

NetcdfFile::~NetcdfFile() { release(); }

// What the environment asks for in the job that is planned is not done here, where one process reads a file.
void NetcdfFile::open() {
  check(scorpio_options_create(&options_), "options");
  for (const char* name : {"report", "trace", "file_options", "explain", "store_faults"})
    check(scorpio_options_set(options_, name, ""), "options");
  for (const auto& [name, value] : {std::pair("store", "posix"), std::pair("asynchronous", "false"),
                                    std::pair("block_bytes", "0"), std::pair("staging_bytes", "16m")})
    check(scorpio_options_set(options_, name, value), "options");
  check(scorpio_iosystem_create(MPI_COMM_SELF, options_, &system_), "reading it");
  check(scorpio_file_open(system_, path_.c_str(), SCORPIO_READ, nullptr, &file_), "opening it");
}

void NetcdfFile::release() {
  if (file_ != nullptr) (void)scorpio_file_close(file_);
  if (system_ != nullptr) (void)scorpio_iosystem_free(system_);
  (void)scorpio_options_free(options_);
  if (started_mpi_) MPI_Finalize();
}

void NetcdfFile::check(int code, const std::string& what) const {
  if (code == SCORPIO_OK) return;
  scorpio_error error;
  (void)scorpio_error_last(&error);
  throw BadInput(fmt::format("{}: {}: {}", path_, what, error.text));
}

bool NetcdfFile::has(const std::string& variable) const {
  int id = -1;
  return scorpio_variable_find(file_, variable.c_str(), &id) == SCORPIO_OK;
}

int NetcdfFile::id_of(const std::string& variable) const {
  int id = -1;
  check(scorpio_variable_find(file_, variable.c_str(), &id), "variable " + variable);
  return id;
}

std::vector<int64_t> NetcdfFile::extents(const std::string& variable) const {
  const int id = id_of(variable);
  int ndims = 0;
  check(scorpio_variable_inquire(file_, id, nullptr, nullptr, &ndims, nullptr, 0), "variable " + variable);
  std::vector<int64_t> dims(static_cast<size_t>(ndims));
  check(scorpio_variable_inquire(file_, id, nullptr, nullptr, &ndims, dims.data(), ndims),
        "variable " + variable);
  return dims;
}

std::vector<int64_t> NetcdfFile::numbers(const std::string& variable) const {
  const std::vector<int64_t> counts = extents(variable), starts(counts.size(), 0);
  const int64_t elements = std::accumulate(counts.begin(), counts.end(), int64_t{1}, std::multiplies<>());
  std::vector<int64_t> values(static_cast<size_t>(elements));
  scorpio_access access =
      scorpio_hyperslab(id_of(variable), starts.data(), counts.data(), SCORPIO_INT64, values.data());
  access.sharing = SCORPIO_ALL_RANKS;
  check(scorpio_get(file_, &access), "variable " + variable);
  return values;
}

std::optional<std::vector<int64_t>> NetcdfFile::attribute(const std::string& name) const {
  int64_t elements = 1;  // an attribute of netCDF has one dimension at most
  int ndims = 0;
  const int code =
      scorpio_attribute_inquire(file_, SCORPIO_GLOBAL, name.c_str(), nullptr, nullptr, &ndims, &elements, 1);
  if (code == SCORPIO_ERR_NOT_FOUND) return std::nullopt;
  check(code, "attribute " + name);
  if (ndims > 1) throw BadInput(fmt::format("{}: attribute {} has {} dimensions", path_, name, ndims));
  std::vector<int64_t> values(static_cast<size_t>(elements));
  check(scorpio_attribute_get(file_, SCORPIO_GLOBAL, name.c_str(), SCORPIO_INT64, values.data(),
                              values.size() * sizeof(int64_t)),
        "attribute " + name);
  return values;
}

std::optional<int64_t> NetcdfFile::dimension(const std::string& name) const {
  int id = -1;
  if (scorpio_dimension_find(file_, name.c_str(), &id) != SCORPIO_OK) return std::nullopt;
  int64_t extent = 0;
  check(scorpio_dimension_inquire(file_, id, nullptr, 0, nullptr, &extent, nullptr), "dimension " + name);
  return extent;
}

}  // namespace job_plan
