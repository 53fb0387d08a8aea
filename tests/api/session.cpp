#include "session.h"

#include <cstdlib>

namespace scorpio::api_test {

std::string last_text() {
  scorpio_error error{};
  scorpio_error_last(&error);
  return std::string(scorpio_code_text(error.code)) + ": " + error.text;
}

int last_origin() {
  scorpio_error error{};
  scorpio_error_last(&error);
  return error.origin_rank;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_in(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

bool on_several_nodes() {
  const char* nodes = std::getenv("SCORPIO_NODES");
  return nodes != nullptr && std::atoi(nodes) > 1 && ranks_in() > 1;
}

bool on_all(bool mine, MPI_Comm comm) {
  int all = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm);
  return all == 1;
}

uint64_t from_rank_zero(uint64_t mine, MPI_Comm comm) {
  MPI_Bcast(&mine, 1, MPI_UINT64_T, 0, comm);
  return mine;
}

bool equal_on_all(const std::string& mine, MPI_Comm comm) {
  std::string first(from_rank_zero(mine.size(), comm), ' ');
  if (rank_in(comm) == 0) first = mine;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, comm);
  return on_all(first == mine, comm);
}

int object_of(scorpio_file* file, const std::string& path) {
  int object = 1000000;
  EXPECT_SUCCESS(scorpio_object_find(file, path.c_str(), nullptr, &object));
  return object;
}

System::System(const Settings& settings, MPI_Comm comm) : comm_(comm) {
  const OptionList options(settings);
  EXPECT_SUCCESS(scorpio_iosystem_create(comm, options.get(), &system_));
}

System::~System() {
  EXPECT_EQ(ended_ ? SCORPIO_ERR_MISMATCH : SCORPIO_OK, scorpio_iosystem_free(system_)) << last_text();
}

int System::io_ranks() const {
  int count = 0;
  EXPECT_SUCCESS(scorpio_iosystem_io_ranks(system_, &count, nullptr));
  return count;
}

uint64_t System::counter(const std::string& name) const {
  uint64_t value = 0;
  EXPECT_SUCCESS(scorpio_iosystem_counter(system_, name.c_str(), &value));
  return value;
}

uint64_t System::sum(const std::string& name) const {
  uint64_t value = counter(name);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, comm_);
  return value;
}

uint64_t System::most(const std::string& name) const {
  uint64_t value = counter(name);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX, comm_);
  return value;
}

std::string System::describe() const {
  size_t length = 0;
  EXPECT_SUCCESS(scorpio_iosystem_describe(system_, nullptr, 0, &length));
  std::string text(length + 1, '\0');
  EXPECT_SUCCESS(scorpio_iosystem_describe(system_, text.data(), text.size(), nullptr));
  text.resize(length);
  return text;
}

void System::reset() { EXPECT_SUCCESS(scorpio_iosystem_reset_counters(system_)); }

}  // namespace scorpio::api_test
