// A netCDF file that is read as a whole by one rank, with the public interface of the library.
#pragma once

#include <scorpio/scorpio.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace job_plan {

// Starts MPI if it is not, and ends it then. All failures are BadInput, whose text begins with the path.
class NetcdfFile {
 public:
  explicit NetcdfFile(std::string path);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  bool has(const std::string& variable) const;
  // All elements of a variable of numbers, in row-major order.
  std::vector<int64_t> numbers(const std::string& variable) const;
  std::vector<int64_t> extents(const std::string& variable) const;
  // A global attribute of numbers; nothing if there is none.
  std::optional<std::vector<int64_t>> attribute(const std::string& name) const;
  // The length of a dimension; nothing if there is none.
  std::optional<int64_t> dimension(const std::string& name) const;
  const std::string& path() const { return path_; }

 private:
  void open();
  void release();
  int id_of(const std::string& variable) const;
  void check(int code, const std::string& what) const;

  std::string path_;
  bool started_mpi_ = false;
  scorpio_options* options_ = nullptr;
  scorpio_iosystem* system_ = nullptr;
  scorpio_file* file_ = nullptr;
};

}  // namespace job_plan
