// Patterns of one array of bytes in a file without a format: every rank opens it and moves its parts by
// pwrite (posix), by one independent MPI-IO call each, or by one collective call through a file view.
// Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <stdexcept>
#include <vector>

#include "common/pattern_side.h"
#include "peers/hints.h"
#include "peers/posix_calls.h"

namespace {

using Parts = std::vector<bench::Part>;

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + text);
}

void move_by_posix(const bench::Arguments& arguments, const Parts& parts, bench::PatternMemory& memory,
                   bench::Stopwatch& watch) {
  const int descriptor = bench::open_file(arguments);
  watch.lap("open");
  for (const bench::Part& part : parts) {
    bench::move_bytes(arguments, descriptor, memory.data(part), static_cast<size_t>(part.count[0]),
                      part.start[0]);
  }
  watch.lap(arguments.read ? "read" : "write");
  bench::close_file(arguments, descriptor);
}

void move_each(MPI_File file, bool read, const Parts& parts, bench::PatternMemory& memory) {
  for (const bench::Part& part : parts) {
    const int count = static_cast<int>(part.count[0]);
    if (read) {
      check_mpi(MPI_File_read_at(file, part.start[0], memory.data(part), count, MPI_BYTE, MPI_STATUS_IGNORE),
                "MPI_File_read_at");
    } else {
      check_mpi(MPI_File_write_at(file, part.start[0], memory.data(part), count, MPI_BYTE, MPI_STATUS_IGNORE),
                "MPI_File_write_at");
    }
  }
}

// The parts' places in the file and in memory as two types of the same bytes.
struct PartTypes {
  PartTypes(const Parts& parts, bench::PatternMemory& memory) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> in_file;
    std::vector<MPI_Aint> in_memory;
    for (const bench::Part& part : parts) {
      lengths.push_back(static_cast<int>(part.count[0]));
      in_file.push_back(static_cast<MPI_Aint>(part.start[0]));
      in_memory.emplace_back();
      MPI_Get_address(memory.data(part), &in_memory.back());
    }
    const int n = static_cast<int>(lengths.size());
    MPI_Type_create_hindexed(n, lengths.data(), in_file.data(), MPI_BYTE, &file);
    MPI_Type_create_hindexed(n, lengths.data(), in_memory.data(), MPI_BYTE, &buffer);
    MPI_Type_commit(&file);
    MPI_Type_commit(&buffer);
  }
  ~PartTypes() {
    MPI_Type_free(&file);
    MPI_Type_free(&buffer);
  }
  PartTypes(const PartTypes&) = delete;
  PartTypes& operator=(const PartTypes&) = delete;

  MPI_Datatype file = MPI_DATATYPE_NULL;
  MPI_Datatype buffer = MPI_DATATYPE_NULL;
};

void move_together(MPI_File file, bool read, const Parts& parts, bench::PatternMemory& memory) {
  const PartTypes types(parts, memory);
  check_mpi(MPI_File_set_view(file, 0, MPI_BYTE, types.file, "native", MPI_INFO_NULL), "MPI_File_set_view");
  if (read) {
    check_mpi(MPI_File_read_at_all(file, 0, MPI_BOTTOM, 1, types.buffer, MPI_STATUS_IGNORE),
              "MPI_File_read_at_all");
  } else {
    check_mpi(MPI_File_write_at_all(file, 0, MPI_BOTTOM, 1, types.buffer, MPI_STATUS_IGNORE),
              "MPI_File_write_at_all");
  }
}

void move_by_mpi(const bench::Arguments& arguments, const Parts& parts, bench::PatternMemory& memory,
                 bench::Stopwatch& watch) {
  const bench::Hints hints(arguments);
  MPI_File file = MPI_FILE_NULL;
  check_mpi(MPI_File_open(MPI_COMM_WORLD, arguments.file.c_str(),
                          arguments.read ? MPI_MODE_RDONLY : MPI_MODE_WRONLY | MPI_MODE_CREATE, hints.info(),
                          &file),
            "MPI_File_open");
  watch.lap("open");
  if (arguments.mode == "collective") {
    move_together(file, arguments.read, parts, memory);
  } else {
    move_each(file, arguments.read, parts, memory);
  }
  watch.lap(arguments.read ? "read" : "write");
  check_mpi(MPI_File_close(&file), "MPI_File_close");
}

void run(const bench::Arguments& arguments) {
  const bench::Pattern pattern = bench::pattern_of(arguments);
  if (pattern.arrays.size() != 1 || pattern.arrays[0].type != bench::Type::uint8 ||
      pattern.steps.size() != 1) {
    throw std::invalid_argument(arguments.workload + " is more than one array of bytes");
  }
  bench::PatternMemory memory(pattern);
  if (!arguments.read) memory.fill();

  bench::Stopwatch watch;
  if (arguments.mode == "posix") {
    move_by_posix(arguments, pattern.steps[0], memory, watch);
  } else {
    move_by_mpi(arguments, pattern.steps[0], memory, watch);
  }
  watch.lap("close");
  bench::print_pattern_result(arguments, pattern, memory,
                              {.total_s = watch.stop_s(), .phases_s = watch.phases_s()});
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
