// The job of the demonstration, the same for both programs: which fields are read from which files with which
// decomposition, redistributed, and written with another. Collective over MPI_COMM_WORLD where it says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/workload.h"

namespace demo {

enum class Kind { int32, float32, float64 };

struct Field {
  std::string source;  // dataset in its input file
  std::string target;  // dataset in the output file
  Kind kind;
  std::vector<int64_t> dims;
};

struct InputFile {
  std::string name;
  std::vector<Field> fields;
};

// The relief of the Earth, two fields of the oceans, and the PFLOTRAN micro-benchmark's two datasets.
std::vector<InputFile> input_files();

// Bytes of all fields.
int64_t total_bytes();

// Rows of the slowest dimension in rank order.
bench::Box box_when_reading(const Field& field, int rank, int ranks);
// Blocks of a process grid; what has one dimension goes to the ranks in reverse.
bench::Box box_when_writing(const Field& field, int rank, int ranks);

// A field's elements on this rank, before and after redistribution.
struct Part {
  bench::Box box;
  std::vector<std::byte> data;
};

Part make_part(const Field& field, bench::Box box);

// Moves the elements of `from` (the reading decomposition) to the ranks that write them. Collective.
Part redistribute(const Field& field, const Part& from);

// The calling rank, and their number, in MPI_COMM_WORLD.
struct Place {
  int rank;
  int ranks;
};
Place my_place();

}  // namespace demo
