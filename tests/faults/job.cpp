// See job.h.
#include "job.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>

namespace scorpio::test {

namespace {

// Rank 0's text on all ranks.
std::string from_rank_zero(std::string text) {
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

bool rank_zero_finds(bool mine) {
  int found = mine ? 1 : 0;
  MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return found != 0;
}

}  // namespace

int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

int ranks() {
  int number = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

Outcome outcome(int code) {
  if (code == SCORPIO_OK) return {};
  scorpio_error error;
  scorpio_error_last(&error);
  return {code, error.origin_rank, error.text};
}

bool same_everywhere(const Outcome& outcome) {
  const std::string mine =
      std::to_string(outcome.code) + "/" + std::to_string(outcome.origin) + "/" + outcome.text;
  return on_all(from_rank_zero(mine) == mine);
}

bool on_all(bool value) {
  int mine = value ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

System::System(const Settings& settings, int64_t rows) : dims_{rows, k_columns} {
  const OptionList options(settings);
  if (scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &iosystem_) != SCORPIO_OK) return;
  scorpio_decomp_uniform(iosystem_, 2, dims_, &decomp_);
}

System::~System() {
  scorpio_decomp_free(decomp_);
  scorpio_iosystem_free(iosystem_);
}

std::vector<double> System::values(int variable) const {
  const int64_t share = dims_[0] / ranks(), more = dims_[0] % ranks();
  const int64_t first = (rank() * share + std::min<int64_t>(rank(), more)) * k_columns;
  const int64_t count = (share + (rank() < more ? 1 : 0)) * k_columns;
  std::vector<double> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 1e6 * variable + static_cast<double>(first));
  return values;
}

uint64_t System::counter(const char* name) const {
  uint64_t value = 0;
  scorpio_iosystem_counter(iosystem_, name, &value);
  return value;
}

std::string System::description() const {
  size_t length = 0;
  scorpio_iosystem_describe(iosystem_, nullptr, 0, &length);
  std::string text(length + 1, '\0');
  scorpio_iosystem_describe(iosystem_, text.data(), text.size(), nullptr);
  return text;
}

namespace {

#ifdef SCORPIO_FAULTS_IN_CHUNKS
Outcome find_or_define(scorpio_file* file, const char* name, int64_t length, int* dimension) {
  if (scorpio_dimension_find(file, name, dimension) == SCORPIO_OK) return {};
  return outcome(scorpio_dimension_define(file, name, length, dimension));
}

// One record over an unlimited dimension.
Outcome define_records(const System& system, scorpio_file* file, const char* name, int* id) {
  const char* const names[3] = {"t", "y", "x"};
  const int64_t lengths[3] = {SCORPIO_UNLIMITED, system.dims()[0], system.dims()[1]};
  int dimensions[3];
  Outcome defined;
  for (size_t d = 0; d < 3 && defined.ok(); ++d)
    defined = find_or_define(file, names[d], lengths[d], &dimensions[d]);
  if (!defined.ok()) return defined;
  return outcome(scorpio_variable_define_on(file, name, SCORPIO_FLOAT64, 3, dimensions, id));
}

// Every second variable is compressed and has records.
Outcome define(const System& system, scorpio_file* file, const char* name, int variable, int* id) {
  const int64_t chunk[3] = {2, system.dims()[0] / 5 + 1, system.dims()[1] / 2 + 1};
  const int filters[2] = {2, 1}, parameters[2] = {0, 1};
  if (variable % 2 == 0) {
    const Outcome defined =
        outcome(scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, system.dims(), id));
    return defined.ok() ? outcome(scorpio_variable_define_chunks(file, *id, chunk + 1)) : defined;
  }
  Outcome defined = define_records(system, file, name, id);
  if (defined.ok()) defined = outcome(scorpio_variable_define_chunks(file, *id, chunk));
  return defined.ok() ? outcome(scorpio_variable_define_filters(file, *id, 2, filters, parameters)) : defined;
}
#else
Outcome define(const System& system, scorpio_file* file, const char* name, int, int* id) {
  return outcome(scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, system.dims(), id));
}
#endif

}  // namespace

Outcome write_variable(const System& system, scorpio_file* file, int variable) {
  int id = -1;
  const std::string name = "v" + std::to_string(variable);
  const Outcome defined = define(system, file, name.c_str(), variable, &id);
  const std::vector<double> values = system.values(variable);
  const Outcome put =
      outcome(scorpio_put_darray(file, id, system.decomp(), 0, SCORPIO_FLOAT64, values.data()));
  return defined.ok() ? put : defined;
}

bool stock_reader_accepts(const std::string& path, const std::vector<std::string>& needed) {
  std::string command = "'" SCORPIO_STOCK_READER "' '" + path + "'";
  for (const std::string& name : needed) command += " " + name;
  const int status = rank() == 0 ? std::system(command.c_str()) : 0;
  return rank_zero_finds(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool exists(const std::string& path) { return rank_zero_finds(rank() == 0 && std::filesystem::exists(path)); }

}  // namespace scorpio::test
