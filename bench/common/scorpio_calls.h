// What our programs share: SCORPIO's calls with exceptions for failures, and the I/O system of a command
// line.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/element_type.h"
#include "common/stopwatch.h"
#include "scorpio/scorpio.h"

namespace bench {

inline void check(int code, const char* call) {
  if (code == SCORPIO_OK) return;
  scorpio_error error{};
  scorpio_error_last(&error);
  throw std::runtime_error(std::string(call) + ": " + scorpio_code_text(code) + ": " +
                           (error.text != nullptr ? error.text : "") + " (rank " +
                           std::to_string(error.origin_rank) + ")");
}

inline scorpio_type type_of(Type type) {
  switch (type) {
    case Type::int8:
      return SCORPIO_INT8;
    case Type::uint8:
      return SCORPIO_UINT8;
    case Type::int32:
      return SCORPIO_INT32;
    case Type::float32:
      return SCORPIO_FLOAT32;
    case Type::float64:
      break;
  }
  return SCORPIO_FLOAT64;
}

// Collective over MPI_COMM_WORLD.
inline scorpio_iosystem* make_iosystem(const Arguments& arguments) {
  scorpio_options* options = nullptr;
  check(scorpio_options_create(&options), "scorpio_options_create");
  check(scorpio_options_set(options, "io_ranks", std::to_string(arguments.io_ranks).c_str()),
        "scorpio_options_set");
  for (const auto& [name, value] : arguments.options) {
    check(scorpio_options_set(options, name.c_str(), value.c_str()), "scorpio_options_set");
  }
  scorpio_iosystem* iosystem = nullptr;
  check(scorpio_iosystem_create(MPI_COMM_WORLD, options, &iosystem), "scorpio_iosystem_create");
  check(scorpio_options_free(options), "scorpio_options_free");
  return iosystem;
}

// `format`: its name. Collective over MPI_COMM_WORLD.
inline scorpio_file* create_file(scorpio_iosystem* iosystem, const std::string& path,
                                 const std::string& format) {
  scorpio_format number = SCORPIO_FORMAT_DEFAULT;
  check(scorpio_format_find(format.c_str(), &number), "scorpio_format_find");
  scorpio_file* file = nullptr;
  check(scorpio_file_create(iosystem, path.c_str(), number, nullptr, &file), "scorpio_file_create");
  return file;
}

// For reading. Collective over MPI_COMM_WORLD.
inline scorpio_file* open_file(scorpio_iosystem* iosystem, const std::string& path) {
  scorpio_file* file = nullptr;
  check(scorpio_file_open(iosystem, path.c_str(), SCORPIO_READ, nullptr, &file), "scorpio_file_open");
  return file;
}

// `dimensions`: their ids. The variable's id.
inline int define_variable(scorpio_file* file, const std::string& name, Type type,
                           const std::vector<int>& dimensions) {
  int id = -1;
  check(scorpio_variable_define_on(file, name.c_str(), type_of(type), static_cast<int>(dimensions.size()),
                                   dimensions.data(), &id),
        "scorpio_variable_define_on");
  return id;
}

inline int find_variable(scorpio_file* file, const std::string& name) {
  int id = -1;
  check(scorpio_variable_find(file, name.c_str(), &id), "scorpio_variable_find");
  return id;
}

// {name: {"sum": over ranks, "max": of a rank}}; on rank 0. Collective over MPI_COMM_WORLD.
inline NumbersByName counters_of(const scorpio_iosystem* iosystem) {
  NumbersByName counters;
  for (const char* const* name = scorpio_counter_names(); *name != nullptr; ++name) {
    uint64_t value = 0;
    check(scorpio_iosystem_counter(iosystem, *name, &value), "scorpio_iosystem_counter");
    counters[*name] = {{"sum", sum_over_ranks(value)}, {"max", max_over_ranks(value)}};
  }
  return counters;
}

}  // namespace bench
