// The demonstration's job by SCORPIO: reads real fields with one decomposition, redistributes them, and
// writes them with another into one HDF5 file. Only the I/O ranks open files. Collective over MPI_COMM_WORLD.
#include <mpi.h>

#include <string>
#include <vector>

#include "common/arguments.h"
#include "common/scorpio_calls.h"
#include "common/stopwatch.h"
#include "job.h"
#include "scorpio/scorpio.h"

namespace {

using bench::check;
using bench::make_iosystem;

scorpio_type type_of(demo::Kind kind) {
  switch (kind) {
    case demo::Kind::int32:
      return SCORPIO_INT32;
    case demo::Kind::float32:
      return SCORPIO_FLOAT32;
    case demo::Kind::float64:
      break;
  }
  return SCORPIO_FLOAT64;
}

scorpio_decomp* make_decomp(scorpio_iosystem* iosystem, const demo::Field& field, const bench::Box& box) {
  scorpio_decomp* decomp = nullptr;
  check(scorpio_decomp_block(iosystem, static_cast<int>(field.dims.size()), field.dims.data(),
                             box.start.data(), box.count.data(), &decomp),
        "scorpio_decomp_block");
  return decomp;
}

demo::Part read_field(scorpio_iosystem* iosystem, scorpio_file* file, const demo::Field& field) {
  const demo::Place place = demo::my_place();
  demo::Part part = demo::make_part(field, demo::box_when_reading(field, place.rank, place.ranks));
  scorpio_decomp* decomp = make_decomp(iosystem, field, part.box);
  int variable = -1;
  check(scorpio_variable_find(file, field.source.c_str(), &variable), "scorpio_variable_find");
  check(scorpio_get_darray(file, variable, decomp, 0, type_of(field.kind), part.data.data()),
        "scorpio_get_darray");
  check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
  return part;
}

void write_field(scorpio_iosystem* iosystem, scorpio_file* file, const demo::Field& field,
                 const demo::Part& part) {
  scorpio_decomp* decomp = make_decomp(iosystem, field, part.box);
  int variable = -1;
  check(scorpio_variable_define(file, field.target.c_str(), type_of(field.kind),
                                static_cast<int>(field.dims.size()), field.dims.data(), &variable),
        "scorpio_variable_define");
  check(scorpio_put_darray(file, variable, decomp, 0, type_of(field.kind), part.data.data()),
        "scorpio_put_darray");
  check(scorpio_decomp_free(decomp), "scorpio_decomp_free");
}

std::vector<demo::Part> read_all(scorpio_iosystem* iosystem, const std::string& folder,
                                 bench::Stopwatch& watch) {
  std::vector<demo::Part> parts;
  for (const demo::InputFile& input : demo::input_files()) {
    scorpio_file* file = nullptr;
    const std::string path = folder + "/" + input.name;
    check(scorpio_file_open(iosystem, path.c_str(), SCORPIO_READ, nullptr, &file), "scorpio_file_open");
    watch.lap("open");
    for (const demo::Field& field : input.fields) parts.push_back(read_field(iosystem, file, field));
    watch.lap("read");
    check(scorpio_file_close(file), "scorpio_file_close");
    watch.lap("close");
  }
  return parts;
}

void write_all(scorpio_iosystem* iosystem, const std::string& path, const std::vector<demo::Part>& parts,
               bench::Stopwatch& watch) {
  scorpio_file* file = nullptr;
  check(scorpio_file_create(iosystem, path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
        "scorpio_file_create");
  watch.lap("open");
  auto part = parts.begin();
  for (const demo::InputFile& input : demo::input_files()) {
    for (const demo::Field& field : input.fields) write_field(iosystem, file, field, *part++);
  }
  watch.lap("write");
  check(scorpio_file_close(file), "scorpio_file_close");
  watch.lap("close");
}

std::vector<demo::Part> redistribute_all(std::vector<demo::Part> parts) {
  auto part = parts.begin();
  for (const demo::InputFile& input : demo::input_files()) {
    for (const demo::Field& field : input.fields) {
      *part = demo::redistribute(field, *part);
      ++part;
    }
  }
  return parts;
}

// This rank's counters, in the order of their names. Local.
std::vector<uint64_t> counters_now(const scorpio_iosystem* iosystem) {
  std::vector<uint64_t> values;
  for (const char* const* name = scorpio_counter_names(); *name != nullptr; ++name) {
    check(scorpio_iosystem_counter(iosystem, *name, &values.emplace_back()), "scorpio_iosystem_counter");
  }
  return values;
}

// {name: one value per rank}; on rank 0.
bench::ListsByName by_rank(const std::vector<uint64_t>& mine) {
  const auto ranks = static_cast<size_t>(demo::my_place().ranks);
  std::vector<uint64_t> all(mine.size() * ranks);
  const int count = static_cast<int>(mine.size());
  MPI_Gather(mine.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  bench::ListsByName counters;
  for (size_t i = 0; i < mine.size(); ++i) {
    std::vector<uint64_t>& values = counters[scorpio_counter_names()[i]];
    for (size_t r = 0; r < ranks; ++r) values.push_back(all[r * mine.size() + i]);
  }
  return counters;
}

std::string description_of(const scorpio_iosystem* iosystem) {
  size_t length = 0;
  check(scorpio_iosystem_describe(iosystem, nullptr, 0, &length), "scorpio_iosystem_describe");
  std::string text(length + 1, '\0');
  check(scorpio_iosystem_describe(iosystem, text.data(), text.size(), nullptr), "scorpio_iosystem_describe");
  text.resize(length);
  return text;
}

void run(const bench::Arguments& arguments) {
  bench::Stopwatch watch;
  scorpio_iosystem* iosystem = make_iosystem(arguments);
  watch.lap("init");
  std::vector<demo::Part> parts = read_all(iosystem, arguments.input, watch);
  const std::vector<uint64_t> reading = counters_now(iosystem);
  check(scorpio_iosystem_reset_counters(iosystem), "scorpio_iosystem_reset_counters");
  parts = redistribute_all(std::move(parts));
  watch.lap("redistribute");
  write_all(iosystem, arguments.file, parts, watch);

  bench::Outcome outcome{.total_s = watch.stop_s(), .phases_s = watch.phases_s()};
  outcome.extra["counters_reading"] = by_rank(reading);
  outcome.extra["counters_writing"] = by_rank(counters_now(iosystem));
  outcome.extra["description"] = description_of(iosystem);
  check(scorpio_iosystem_free(iosystem), "scorpio_iosystem_free");
  bench::print_result(arguments, 2 * demo::total_bytes(), outcome);
}

}  // namespace

int main(int argc, char** argv) { return bench::run_program(argc, argv, run); }
